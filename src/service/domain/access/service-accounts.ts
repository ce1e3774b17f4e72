/** [ours] The rules of service accounts and their secrets (decisions §12.8). */
import { randomBytes } from 'node:crypto';
import type {
  NewServiceAccount,
  ServiceAccount,
  ServiceAccountCreate,
  ServiceAccountSecret,
} from '../../../contract/rest/access/service-accounts.ts';
import { deleteCodesBy } from '../../store/access/enrolment-codes.ts';
import * as store from '../../store/access/service-accounts.ts';
import { readProjectIds } from '../../store/access/project-ids.ts';
import { levelOf } from '../../store/access/tokens.ts';
import type { Db } from '../../store/engine/db.ts';
import { wireTime, wireTimeOrNull } from '../near-misses/near-miss-view.ts';
import { recordAct, type Actor } from '../evidence/admin-acts.ts';
import { pageOf, type Page, type Paged } from '../page.ts';
import { forbidden, notFound } from '../problem.ts';
import { hashToken } from '../tokens.ts';
import { checkStanding, unique } from './users.ts';

interface Of {
  readonly company_id: number;
  readonly user_id: number;
}

const viewAccount = (
  row: store.AccountRow,
  secrets: readonly store.SecretRow[],
): ServiceAccount => ({
  id: row.id,
  name: row.name,
  client_id: row.login,
  level: levelOf(row.level),
  project_ids: readProjectIds(row.project_ids)?.slice() ?? null,
  created_at: wireTime(row.created_at),
  secrets: secrets
    .filter(({ user_id }) => user_id === row.id)
    .map(({ id, created_at, expires_at, last_used_at }) => ({
      id,
      created_at: wireTime(created_at),
      expires_at: wireTimeOrNull(expires_at),
      last_used_at: wireTimeOrNull(last_used_at),
    })),
});

export const listAccounts = (
  db: Db,
  company_id: number,
  now: number,
  paged: Paged,
): Promise<Page<ServiceAccount>> =>
  pageOf(paged, {
    count: () => store.countAccounts(db, company_id),
    rows: (slice) => store.listAccounts(db, company_id, slice),
    view: async (rows) => {
      const ids = rows.map(({ id }) => id);
      const secrets = await store.listSecrets(db, company_id, ids, now);
      return rows.map((row) => viewAccount(row, secrets));
    },
  });

/** @throws Refusal 404 */
const find = async (db: Db, of: Of): Promise<store.AccountRow> => {
  const row = await store.findAccount(db, of);
  if (!row) throw notFound();
  return row;
};

/** An unsalted hash is safe, because 256 random bits cannot be guessed. */
const newSecret = (): string => `spotter_secret_${randomBytes(32).toString('base64url')}`;

/** @throws Refusal 422 */
export const createAccount = async (
  tx: Db,
  actor: Actor,
  body: ServiceAccountCreate,
): Promise<NewServiceAccount> => {
  const { company_id, now } = actor;
  const project_ids = unique(body.project_ids ?? null);
  const standing = { level: body.level ?? 'standard', project_ids, active: true };
  await checkStanding(tx, company_id, standing, 'service_account');
  const client_id = `account-${randomBytes(12).toString('hex')}`;
  const account = { company_id, client_id, name: body.name, now };
  const user_id = await store.insertAccount(tx, account, standing);
  const client_secret = newSecret();
  const secret_hash = hashToken(client_secret);
  const secret = await store.insertSecret(tx, {
    company_id,
    user_id,
    secret_hash,
    created_at: now,
  });
  await recordAct(tx, actor, {
    act: 'service_account_created',
    about_user_id: user_id,
    details: { level: standing.level, project_ids: project_ids?.slice() ?? null },
  });
  return { ...viewAccount(await find(tx, { company_id, user_id }), [secret]), client_secret };
};

/** @throws Refusal 404 */
export const deleteAccount = async (tx: Db, actor: Actor, user_id: number): Promise<void> => {
  const of = { company_id: actor.company_id, user_id };
  await find(tx, of);
  await deleteCodesBy(tx, of.company_id, user_id);
  await store.deleteAccount(tx, of);
  await recordAct(tx, actor, { act: 'service_account_deleted', about_user_id: user_id });
};

/**
 * The secret before stays valid for `overlap` milliseconds, so that a program can change over without a pause; the ones before that
 * end.
 * @throws Refusal 404
 */
export const rotateSecret = async (
  tx: Db,
  actor: Actor,
  user_id: number,
  overlap: number,
): Promise<ServiceAccountSecret> => {
  const { company_id, now } = actor;
  const of = { company_id, user_id };
  const { login } = await find(tx, of);
  const [newest] = await store.listSecrets(tx, of.company_id, [of.user_id], now);
  const previous = overlap > 0 ? newest : undefined;
  await store.deleteSecrets(tx, of, previous?.id ?? null);
  if (previous) await store.limitSecret(tx, previous, now + overlap);
  const client_secret = newSecret();
  await store.insertSecret(tx, {
    ...of,
    secret_hash: hashToken(client_secret),
    created_at: now,
  });
  await recordAct(tx, actor, {
    act: 'service_account_secret_rotated',
    about_user_id: user_id,
    details: { keep_previous: overlap > 0 },
  });
  return {
    client_id: login,
    client_secret,
    previous_valid_until: previous ? wireTime(now + overlap) : null,
  };
};

/** A token that an account made for itself would outlive its secret. @throws Refusal 403 */
export const refuseAccount = async (db: Db, user_id: number): Promise<void> => {
  if (await store.isServiceAccount(db, user_id))
    throw forbidden('A service account makes no tokens: it gets its bearers at /oauth/token.');
};
