/**
 * `user add`, `user list`, `user role` and `user deactivate`: manages the users of a company beside a running service, by the same
 * rules as the API (decisions §12.4). The operator needs no level.
 */
import { levels, type Level } from '../../contract/rest/access/levels.ts';
import { createUser, listUsers, updateUser } from '../domain/access/users.ts';
import type { Actor } from '../domain/evidence/admin-acts.ts';
import { Refusal } from '../domain/problem.ts';
import { OptionError, parseCommand } from '../options.ts';
import type { Db, Store } from '../store/engine/db.ts';
import { openDataDir } from '../store/engine/lock.ts';
import { findUserByLogin } from '../store/access/logins.ts';
import { findCompany } from '../store/users.ts';

const OWN = ['company', 'name', 'level', 'projects'] as const;
type Own = Readonly<Partial<Record<(typeof OWN)[number], string>>>;
type Standing = Pick<Own, 'level' | 'projects'>;

/** @throws {OptionError} */
export const readLevel = (text: string | undefined): Level | undefined => {
  if (text === undefined) return undefined;
  const level = levels.find((one) => one === text);
  if (level === undefined) throw new OptionError(`--level must be one of ${levels.join(', ')}.`);
  return level;
};

/** `all`, or ids with commas. @throws {OptionError} */
const readProjects = (text: string | undefined): number[] | null | undefined => {
  if (text === undefined) return undefined;
  if (text === 'all') return null;
  if (!/^[1-9]\d{0,14}(,[1-9]\d{0,14})*$/.test(text))
    throw new OptionError('--projects must be "all" or ids such as 3,7.');
  return text.split(',').map(Number);
};

/** @throws {OptionError} */
export const companyOf = async (db: Db, { company }: Pick<Own, 'company'>): Promise<number> => {
  if (company === undefined || !/^[1-9]\d{0,14}$/.test(company))
    throw new OptionError('Say which company: --company ID.');
  const id = Number(company);
  if (!(await findCompany(db, id))) throw new OptionError(`There is no company ${id}.`);
  return id;
};

/** @throws {OptionError} */
const operatorIn = async (db: Db, own: Own): Promise<Actor> => ({
  company_id: await companyOf(db, own),
  user_id: null,
  now: Date.now(),
});

/** @throws {OptionError} */
const userOf = async (db: Db, login: string): Promise<number> => {
  const user = await findUserByLogin(db, login);
  if (!user) throw new OptionError(`There is no user "${login}".`);
  return user.id;
};

export const standingOf = (own: Standing) => {
  const [level, project_ids] = [readLevel(own.level), readProjects(own.projects)];
  return {
    ...(level === undefined ? {} : { level }),
    ...(project_ids === undefined ? {} : { project_ids }),
  };
};

const verbs = {
  add: async (store: Store, own: Own, login: string) =>
    store.write(async (tx) => {
      const named = own.name === undefined ? {} : { name: own.name };
      const body = { login, ...named, ...standingOf(own) };
      return (await createUser(tx, await operatorIn(tx, own), body)).data;
    }),
  role: async (store: Store, own: Own, login: string) =>
    store.write(async (tx) => {
      const standing = standingOf(own);
      if (Object.keys(standing).length === 0)
        throw new OptionError('Say what changes: --level LEVEL, --projects all or --projects 3,7.');
      const operator = await operatorIn(tx, own);
      return (await updateUser(tx, operator, await userOf(tx, login), standing)).data;
    }),
  deactivate: async (store: Store, own: Own, login: string) =>
    store.write(async (tx) => {
      const operator = await operatorIn(tx, own);
      return (await updateUser(tx, operator, await userOf(tx, login), { active: false })).data;
    }),
} as const;

const list = async (store: Store, own: Own) => {
  const company_id = await companyOf(store.read, own);
  return { users: (await listUsers(store.read, company_id, { page: 1, per_page: 10_000 })).data };
};

/** The refusal of a rule, as one sentence for the terminal. */
export const sentenceOf = ({ status, errors }: Refusal): string => {
  if (status === 404) return 'The company has no such user.';
  const all = Object.entries(errors).map(([field, messages]) =>
    Array.isArray(messages) ? `${field}: ${messages.join('; ')}` : String(messages),
  );
  return `Nothing was changed. ${all.join('. ')}.`;
};

/** Returns the JSON for stdout. @throws {OptionError} */
export const runUser = async (
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<unknown> => {
  const { options, words, own } = parseCommand(argv, environment, OWN);
  const [verb = '', login = '', ...rest] = words;
  const isList = verb === 'list' && login === '';
  if (rest.length > 0 || !(isList || (verb in verbs && login !== '')))
    throw new OptionError(
      'Usage: user add LOGIN | user list | user role LOGIN | user deactivate LOGIN, with --company ID. See --help.',
    );
  if (options['database-url'] === '') await openDataDir(options['data-dir']);
  const { openStore } = await import('../store/engine/open.ts');
  const store = await openStore(options);
  try {
    if (isList) return await list(store, own);
    return await verbs[verb as keyof typeof verbs](store, own, login);
  } catch (error) {
    if (error instanceof Refusal) throw new OptionError(sentenceOf(error));
    throw error;
  } finally {
    await store.close();
  }
};
