/**
 * `token create`, `token list` and `token revoke`: manages access to the service. The commands open the database
 * beside a running service, so nobody has to stop it; their writes wait for each other for a few seconds. A token is
 * shown once, when it is created. Only its hash is stored, and the hash's first 12 digits identify the token.
 * Revoking takes effect at the token's next request.
 */
import { seedCompany } from '../demo/seed.ts';
import { tokenLevels, type Level } from '../../contract/rest/access/levels.ts';
import { hasRoomForToken, TOKENS_MAX } from '../domain/access/tokens.ts';
import { findOrReserveLogin } from '../domain/access/users.ts';
import { recordAct } from '../domain/evidence/admin-acts.ts';
import { hashToken, mintToken, tokenIdOf as idOf } from '../domain/tokens.ts';
import { OptionError, parseCommand, readDuration } from '../options.ts';
import { findUser } from '../store/access/company-users.ts';
import { findUserByLogin } from '../store/access/logins.ts';
import { deleteToken, levelOf, listTokens } from '../store/access/tokens.ts';
import type { Db, Store } from '../store/engine/db.ts';
import { openDataDir } from '../store/engine/lock.ts';
import { companiesOfUser, findCompany, insertUser, isMember } from '../store/users.ts';
import { readLevel } from './user.ts';

const OWN = [
  'user',
  'company',
  'name',
  'level',
  'expires',
  'new-user',
  'new-company',
  'new-project',
] as const;
type Own = Readonly<Partial<Record<(typeof OWN)[number], string>>>;

const companyIdOf = ({ company }: Own): number => {
  if (company === undefined || !/^[1-9]\d{0,14}$/.test(company))
    throw new OptionError('Say which company: --company ID, or --new-company NAME to make one.');
  return Number(company);
};

/** The user and company of a new token, created if the command says so. @throws {OptionError} */
const seatOf = async (tx: Db, own: Own, login: string, now: number) => {
  const name = own['new-user'];
  const user = await (name === undefined ? findUserByLogin : findOrReserveLogin)(tx, login);
  if (user?.service_account === 1)
    throw new OptionError(`"${login}" is a service account, which has no tokens. See account.`);
  if (user && name !== undefined)
    throw new OptionError(`There is a user "${login}" already. Leave --new-user out.`);
  if (own['new-company'] !== undefined) {
    if (user || name === undefined)
      throw new OptionError('--new-company needs its first user: add --new-user NAME.');
    const project = own['new-project'] ?? 'First project';
    const named = { company: own['new-company'], project };
    return seedCompany(tx, now, { ...named, user: [name, login] });
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

/** @throws {OptionError} if the user may not do what the token would allow */
const checkLevel = async (
  tx: Db,
  seat: { readonly company_id: number; readonly user_id: number },
  level: Level | undefined,
): Promise<void> => {
  const user = await findUser(tx, seat.company_id, seat.user_id);
  if (user?.active !== 1) throw new OptionError('The user is deactivated in this company.');
  const allowed = tokenLevels[levelOf(user.level)];
  if (level !== undefined && !allowed.includes(level))
    throw new OptionError(
      `A token of this user may have --level ${allowed.join(', ')}, and no other.`,
    );
};

const create = (store: Store, own: Own, now: number) => {
  const login = own.user;
  if (login === undefined || login === '') throw new OptionError('Say for whom: --user LOGIN.');
  return store.write(async (tx) => {
    const { user_id, company_id } = await seatOf(tx, own, login, now);
    const level = readLevel(own.level);
    await checkLevel(tx, { company_id, user_id }, level);
    if (!(await hasRoomForToken(tx, { company_id, user_id }, now)))
      throw new OptionError(
        `"${login}" has ${TOKENS_MAX} tokens in company ${company_id}. Revoke one first: token list shows them.`,
      );
    const named = {
      ...(own.name === undefined ? {} : { name: own.name }),
      ...(level === undefined ? {} : { level }),
    };
    const expires = own.expires === undefined ? null : now + readDuration(own.expires, '--expires');
    const token = await mintToken(tx, user_id, now, { company_id, ...named, expires_at: expires });
    await recordAct(
      tx,
      { company_id, user_id: null, now },
      {
        act: 'token_created',
        about_user_id: user_id,
        details: { token_id: idOf(hashToken(token)), level: level ?? null },
      },
    );
    const ends = expires === null ? {} : { expires_at: timeOf(expires) };
    return { token, id: idOf(hashToken(token)), user: login, company_id, ...named, ...ends };
  });
};

const timeOf = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString();

const list = async (store: Store, own: Own) => ({
  tokens: (await listTokens(store.read, own.user)).map(
    ({ token_hash, login, created_at, ...row }) => ({
      id: idOf(token_hash),
      user: login,
      company_id: row.company_id,
      name: row.name,
      level: row.level,
      created_at: timeOf(created_at),
      expires_at: timeOf(row.expires_at),
      last_used_at: timeOf(row.last_used_at),
    }),
  ),
});

/** A token of several companies ends in all of them. */
const recordRevoked = async (
  tx: Db,
  { token_hash, user_id, company_id }: Awaited<ReturnType<typeof listTokens>>[number],
): Promise<void> => {
  const companies = company_id === null ? await companiesOfUser(tx, user_id) : [company_id];
  const details = { token_id: idOf(token_hash) };
  for (const one of companies)
    await recordAct(
      tx,
      { company_id: one, user_id: null, now: Date.now() },
      { act: 'token_revoked', about_user_id: user_id, details },
    );
};

const revoke = (store: Store, id: string | undefined) => {
  if (id === undefined || !/^[0-9a-f]{12,64}$/.test(id))
    throw new OptionError('Say which token: token revoke ID, as `token list` shows it.');
  return store.write(async (tx) => {
    const found = (await listTokens(tx)).filter(({ token_hash }) => token_hash.startsWith(id));
    const [only] = found;
    if (!only) throw new OptionError(`There is no token ${id}. See token list.`);
    if (found.length > 1) throw new OptionError(`More than one token begins with ${id}.`);
    await deleteToken(tx, only.token_hash);
    await recordRevoked(tx, only);
    return { revoked: idOf(only.token_hash), user: only.login };
  });
};

/** Returns the JSON for stdout. @throws {OptionError} */
export const runToken = async (
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<unknown> => {
  const { options, words, own } = parseCommand(argv, environment, OWN);
  const [verb = '', id, ...rest] = words;
  if (!['create', 'list', 'revoke'].includes(verb) || rest.length > 0 || (verb !== 'revoke' && id))
    throw new OptionError('Usage: token create | token list | token revoke ID. See --help.');
  if (options['database-url'] === '') await openDataDir(options['data-dir']);
  const { openStore } = await import('../store/engine/open.ts');
  const store = await openStore(options);
  try {
    if (verb === 'create') return await create(store, own, Date.now());
    return await (verb === 'list' ? list(store, own) : revoke(store, id));
  } finally {
    await store.close();
  }
};
