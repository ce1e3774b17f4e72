/**
 * `token create`, `token list` and `token revoke`: who may use the service. They open the database beside a running service
 * (its writes wait for each other for some seconds), so that nobody has to stop anything. A token is shown once, when it is
 * made; only its hash is kept, and a token is named by the first 12 digits of that. A revoked one ends with its next request.
 */
import { seedFirm } from '../demo/seed.ts';
import { hashToken, mintToken } from '../domain/tokens.ts';
import { OptionError, parseCommand } from '../options.ts';
import type { Db, Store } from '../store/db.ts';
import { openDataDir } from '../store/lock.ts';
import {
  deleteToken,
  findCompany,
  findUserByLogin,
  insertUser,
  isMember,
  listTokens,
} from '../store/users.ts';

const OWN = ['user', 'company', 'name', 'new-user', 'new-company', 'new-project'] as const;
type Own = Readonly<Partial<Record<(typeof OWN)[number], string>>>;

const ID_LENGTH = 12;
const idOf = (token_hash: string): string => token_hash.slice(0, ID_LENGTH);

const companyIdOf = ({ company }: Own): number => {
  if (company === undefined || !/^[1-9]\d{0,14}$/.test(company))
    throw new OptionError('Say which company: --company ID, or --new-company NAME to make one.');
  return Number(company);
};

/** The user and the company of a new token, made where the command says so. @throws {OptionError} */
const seatOf = async (tx: Db, own: Own, login: string, now: number) => {
  const user = await findUserByLogin(tx, login);
  const name = own['new-user'];
  if (user && name !== undefined)
    throw new OptionError(`There is a user "${login}" already. Leave --new-user out.`);
  if (own['new-company'] !== undefined) {
    if (user || name === undefined)
      throw new OptionError('--new-company needs its first user: add --new-user NAME.');
    const project = own['new-project'] ?? 'First project';
    const firm = { company: own['new-company'], project };
    return seedFirm(tx, now, { ...firm, user: [name, login] });
  }
  const company_id = companyIdOf(own);
  if (!(await findCompany(tx, company_id)))
    throw new OptionError(`There is no company ${company_id}. --new-company NAME makes one.`);
  if (!user && name === undefined)
    throw new OptionError(`There is no user "${login}". --new-user NAME makes one.`);
  if (!user)
    return {
      company_id,
      user_id: await insertUser(tx, { login, name: name ?? login, company_id, now }),
    };
  if (!(await isMember(tx, company_id, user.id)))
    throw new OptionError(`"${login}" does not belong to company ${company_id}.`);
  return { company_id, user_id: user.id };
};

const create = (store: Store, own: Own, now: number) => {
  const login = own.user;
  if (login === undefined || login === '') throw new OptionError('Say for whom: --user LOGIN.');
  return store.write(async (tx) => {
    const { user_id, company_id } = await seatOf(tx, own, login, now);
    const named = own.name === undefined ? {} : { name: own.name };
    const token = await mintToken(tx, user_id, now, { company_id, ...named });
    return { token, id: idOf(hashToken(token)), user: login, company_id, ...named };
  });
};

const list = async (store: Store, own: Own) => ({
  tokens: (await listTokens(store.read, own.user)).map(
    ({ token_hash, login, created_at, ...row }) => ({
      id: idOf(token_hash),
      user: login,
      company_id: row.company_id,
      name: row.name,
      created_at: new Date(created_at).toISOString(),
    }),
  ),
});

const revoke = (store: Store, id: string | undefined) => {
  if (id === undefined || !/^[0-9a-f]{12,64}$/.test(id))
    throw new OptionError('Say which token: token revoke ID, as `token list` shows it.');
  return store.write(async (tx) => {
    const found = (await listTokens(tx)).filter(({ token_hash }) => token_hash.startsWith(id));
    const [only] = found;
    if (!only) throw new OptionError(`There is no token ${id}. See token list.`);
    if (found.length > 1) throw new OptionError(`More than one token begins with ${id}.`);
    await deleteToken(tx, only.token_hash);
    return { revoked: idOf(only.token_hash), user: only.login };
  });
};

/** Answers what goes to stdout as one line of JSON. @throws {OptionError} */
export const runToken = async (
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<unknown> => {
  const { options, words, own } = parseCommand(argv, environment, OWN);
  const [verb = '', id, ...rest] = words;
  if (!['create', 'list', 'revoke'].includes(verb) || rest.length > 0 || (verb !== 'revoke' && id))
    throw new OptionError('Usage: token create | token list | token revoke ID. See --help.');
  if (options['database-url'] === '') await openDataDir(options['data-dir']);
  const { openStore } = await import('../store/open.ts');
  const store = await openStore(options);
  try {
    if (verb === 'create') return await create(store, own, Date.now());
    return await (verb === 'list' ? list(store, own) : revoke(store, id));
  } finally {
    await store.close();
  }
};
