/**
 * `account add`, `account list`, `account rotate` and `account delete`: manages the service accounts of a company beside a running
 * service, by the same rules as the API (decisions §12.8). A secret is shown once, when it is made.
 */
import * as rules from '../domain/access/service-accounts.ts';
import type { Actor } from '../domain/evidence/admin-acts.ts';
import { Refusal } from '../domain/problem.ts';
import { OptionError, parseCommand, type Options } from '../options.ts';
import { findAccountByClientId } from '../store/access/service-accounts.ts';
import type { Db, Store } from '../store/engine/db.ts';
import { openDataDir } from '../store/engine/lock.ts';
import { companyOf, sentenceOf, standingOf } from './user.ts';

const OWN = ['company', 'level', 'projects'] as const;
type Own = Readonly<Partial<Record<(typeof OWN)[number], string>>>;

interface Asked {
  readonly store: Store;
  readonly options: Options;
  readonly own: Own;
  readonly company_id: number;
  /** The name of a new account, else the client id of one. */
  readonly word: string;
}

const operatorIn = ({ company_id }: Asked): Actor => ({
  company_id,
  user_id: null,
  now: Date.now(),
});

/** @throws {OptionError} */
const accountOf = async (db: Db, { company_id, word }: Asked): Promise<number> => {
  const account = await findAccountByClientId(db, company_id, word);
  if (!account) throw new OptionError(`The company has no service account "${word}".`);
  return account.id;
};

const list = async ({ store, company_id }: Asked) => {
  const page = { page: 1, per_page: 10_000 };
  const { data } = await rules.listAccounts(store.read, company_id, Date.now(), page);
  return { accounts: data };
};

const verbs = {
  add: (asked: Asked) => {
    const body = { name: asked.word, ...standingOf(asked.own) };
    return (tx: Db): Promise<unknown> => rules.createAccount(tx, operatorIn(asked), body);
  },
  rotate: (asked: Asked) => async (tx: Db) => {
    const overlap = asked.options['account-secret-overlap'];
    return rules.rotateSecret(tx, operatorIn(asked), await accountOf(tx, asked), overlap);
  },
  delete: (asked: Asked) => async (tx: Db) => {
    await rules.deleteAccount(tx, operatorIn(asked), await accountOf(tx, asked));
    return { deleted: asked.word };
  },
} as const;

/** Returns the JSON for stdout. @throws {OptionError} */
export const runAccount = async (
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<unknown> => {
  const { options, words, own } = parseCommand(argv, environment, OWN);
  const [verb = '', word = '', ...rest] = words;
  const isList = verb === 'list' && word === '';
  if (rest.length > 0 || !(isList || (Object.hasOwn(verbs, verb) && word.trim() !== '')))
    throw new OptionError(
      'Usage: account add NAME | account list | account rotate CLIENT_ID | account delete CLIENT_ID, with --company ID. See --help.',
    );
  if (options['database-url'] === '') await openDataDir(options['data-dir']);
  const { openStore } = await import('../store/engine/open.ts');
  const store = await openStore(options);
  try {
    const company_id = await companyOf(store.read, own);
    const asked = { store, options, own, company_id, word: word.trim() };
    if (isList) return await list(asked);
    return await store.write(verbs[verb as keyof typeof verbs](asked), company_id);
  } catch (error) {
    if (error instanceof Refusal) throw new OptionError(sentenceOf(error));
    throw error;
  } finally {
    await store.close();
  }
};
