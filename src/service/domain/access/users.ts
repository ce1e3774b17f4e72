/** [ours] The rules of a company's users (decisions §12.4). */
import { tokenLevels } from '../../../contract/rest/access/levels.ts';
import type {
  CompanyUser,
  CompanyUserCreate,
  CompanyUserUpdate,
} from '../../../contract/rest/access/users.ts';
import * as store from '../../store/access/company-users.ts';
import { findUserByLogin, lockNewLogins } from '../../store/access/logins.ts';
import { deleteCodesBy, deleteCodesOf } from '../../store/access/enrolment-codes.ts';
import { readProjectIds } from '../../store/access/project-ids.ts';
import {
  deleteToken,
  endTokensOf,
  endUnlimitedTokens,
  levelOf,
  tokensOf,
} from '../../store/access/tokens.ts';
import type { Db } from '../../store/engine/db.ts';
import { addUserToPeople, insertUser } from '../../store/users.ts';
import { recordAct, type Actor } from '../evidence/admin-acts.ts';
import { contentTag, requireMatch } from '../etag.ts';
import { pageOf, type Page, type Paged } from '../page.ts';
import { invalid, notFound } from '../problem.ts';

const viewUser = (row: store.UserRow): CompanyUser => ({
  id: row.id,
  name: row.name,
  login: row.login,
  level: levelOf(row.level),
  project_ids: readProjectIds(row.project_ids)?.slice() ?? null,
  active: row.active === 1,
});

/** A record and the ETag of this state (decisions §1.7). */
interface Tagged {
  readonly data: CompanyUser;
  readonly etag: string;
}

const tagged = (row: store.UserRow): Tagged => {
  const data = viewUser(row);
  return { data, etag: contentTag(data) };
};

export const listUsers = (db: Db, company_id: number, paged: Paged): Promise<Page<CompanyUser>> =>
  pageOf(paged, {
    count: () => store.countUsers(db, company_id),
    rows: (slice) => store.listUsers(db, company_id, slice),
    view: (rows) => rows.map(viewUser),
  });

const find = async (db: Db, company_id: number, id: number): Promise<store.UserRow> => {
  const row = await store.findUser(db, company_id, id);
  if (!row) throw notFound();
  return row;
};

export const showUser = async (db: Db, company_id: number, id: number): Promise<Tagged> =>
  tagged(await find(db, company_id, id));

/**
 * An admin manages the whole company, so a list of projects would not limit one.
 * @param one the name of the body's object
 * @throws Refusal 422
 */
export const checkStanding = async (
  db: Db,
  company_id: number,
  next: store.Standing,
  one = 'user',
): Promise<void> => {
  if (next.project_ids === null) return;
  if (next.level === 'admin')
    throw invalid({
      [`${one}.project_ids`]: ['must be null for an admin, who manages all projects'],
    });
  const known = await store.findProjects(db, company_id, next.project_ids);
  const strange = next.project_ids.filter((id) => !known.has(id));
  if (strange.length > 0)
    throw invalid({
      [`${one}.project_ids`]: strange
        .slice(0, 20)
        .map((id) => `${id} is no project of this company`),
    });
};

export const unique = (ids: readonly number[] | null): readonly number[] | null =>
  ids === null ? null : [...new Set(ids)];

const listed = (ids: readonly number[] | null): number[] | null => ids?.slice() ?? null;

/** Records what changed of the standing. A new name is no administrative act. */
const recordChange = async (
  tx: Db,
  actor: Actor,
  about_user_id: number,
  had: CompanyUser,
  next: store.Standing,
): Promise<void> => {
  const details = {
    ...(had.level === next.level ? {} : { level_from: had.level, level_to: next.level }),
    ...(had.active === next.active ? {} : { active: next.active }),
    ...(String(had.project_ids) === String(next.project_ids)
      ? {}
      : { project_ids: listed(next.project_ids) }),
  };
  if (Object.keys(details).length > 0)
    await recordAct(tx, actor, { act: 'user_changed', about_user_id, details });
};

/** Finds the user, or else makes others who add a login wait until the commit, so that a login is added once. */
export const findOrReserveLogin = async (tx: Db, login: string) => {
  const known = await findUserByLogin(tx, login);
  if (known) return known;
  await lockNewLogins(tx);
  return findUserByLogin(tx, login);
};

/** @throws Refusal 422 */
export const createUser = async (
  tx: Db,
  actor: Actor,
  body: CompanyUserCreate,
): Promise<Tagged> => {
  const { company_id, now } = actor;
  const { login } = body;
  const standing: store.Standing = {
    level: body.level ?? 'standard',
    project_ids: unique(body.project_ids ?? null),
    active: true,
  };
  await checkStanding(tx, company_id, standing);
  const recordAdded = (about_user_id: number): Promise<void> =>
    recordAct(tx, actor, {
      act: 'user_added',
      about_user_id,
      details: { level: standing.level, project_ids: listed(standing.project_ids) },
    });
  const known = await findOrReserveLogin(tx, login);
  if (!known) {
    if (body.name === undefined) throw invalid({ 'user.name': ['is required for a new login'] });
    const id = await insertUser(tx, { login, name: body.name, company_id, now }, standing);
    await recordAdded(id);
    return showUser(tx, company_id, id);
  }
  if (known.service_account === 1)
    throw invalid({ 'user.login': ['belongs to a service account'] });
  if (await store.findUser(tx, company_id, known.id))
    throw invalid({ 'user.login': ['belongs to a user of this company already'] });
  const member = { company_id, user_id: known.id, now };
  await store.insertCompanyUser(tx, member, standing);
  // Its tokens were made before: an admin who knows a login must not change where they count.
  await endUnlimitedTokens(tx, member);
  await addUserToPeople(tx, member);
  await recordAdded(known.id);
  return showUser(tx, company_id, known.id);
};

/**
 * Ends tokens whose level neither includes the user's new level nor is included in it (`tokenLevels`). Such a token
 * would have other rights after a demotion.
 */
const endStrangeTokens = async (
  tx: Db,
  of: { readonly company_id: number; readonly user_id: number },
  level: store.Standing['level'],
): Promise<void> => {
  const query = tokensOf(tx, of);
  const rows = await query.list({ limit: 10_000, offset: 0 });
  for (const row of rows) {
    const own = row.level === null ? null : levelOf(row.level);
    const fits =
      own === null || tokenLevels[level].includes(own) || tokenLevels[own].includes(level);
    if (!fits) await deleteToken(tx, row.token_hash);
  }
};

const rename = async (
  tx: Db,
  company_id: number,
  row: store.UserRow,
  name: string | undefined,
): Promise<void> => {
  if (name === undefined || name === row.name) return;
  if (await store.isElsewhere(tx, company_id, row.id))
    throw invalid({ 'user.name': ['cannot change: the user belongs to another company too'] });
  await store.renameUser(tx, row.id, name);
};

/** @throws Refusal 404, 412, 422 */
export const updateUser = async (
  tx: Db,
  actor: Actor,
  id: number,
  body: CompanyUserUpdate,
  if_match?: string,
): Promise<Tagged> => {
  const { company_id, now } = actor;
  await store.lockCompany(tx, company_id);
  const row = await find(tx, company_id, id);
  const had = tagged(row);
  requireMatch(if_match, had.etag);
  const level = body.level ?? levelOf(row.level);
  // Whoever becomes an admin manages all projects.
  const kept = level === 'admin' ? null : readProjectIds(row.project_ids);
  const next: store.Standing = {
    level,
    project_ids: body.project_ids === undefined ? kept : unique(body.project_ids),
    active: body.active ?? row.active === 1,
  };
  await checkStanding(tx, company_id, next);
  await rename(tx, company_id, row, body.name);
  const member = { company_id, user_id: id, now };
  const isBack = next.active && row.active !== 1;
  await store.updateCompanyUser(tx, member, next, isBack ? now : undefined);
  if ((await store.countActiveAdmins(tx, company_id)) === 0)
    throw invalid({
      [next.active ? 'user.level' : 'user.active']: ['would leave the company without an admin'],
    });
  if (!next.active) {
    // The codes first: a request that uses one at the same time has then committed its token.
    await deleteCodesOf(tx, company_id, id);
    await endTokensOf(tx, member);
  }
  // Codes for others would outlast the right to make them.
  if (!next.active || (row.level === 'admin' && level !== 'admin'))
    await deleteCodesBy(tx, company_id, id);
  await endStrangeTokens(tx, member, next.level);
  await recordChange(tx, actor, id, had.data, next);
  return showUser(tx, company_id, id);
};
