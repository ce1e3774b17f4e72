/** [ours] What keeps a place as it is, whatever an admin decides: a legal hold, and the rules of accounts (decisions §21.3). */
import type { Obstacle } from '../../../contract/rest/retention/erasures.ts';
import { countActiveAdmins, findUser, isElsewhere } from '../../store/access/company-users.ts';
import type { Db } from '../../store/engine/db.ts';
import { listHeld, tookPart } from '../../store/erasure/people.ts';
import type { Held, Spot } from './hits.ts';

type HeldRow = Awaited<ReturnType<typeof listHeld>>[number];

const namesById = async (
  db: Db,
  company_id: number,
  { kind, resource_id }: Spot,
  row: HeldRow,
): Promise<boolean> => {
  if (resource_id === null) return false;
  if (kind === 'person') return row.affected_person_id === resource_id;
  if (kind === 'party') return row.affected_party_id === resource_id;
  return (
    row.created_by === resource_id ||
    row.incident_created_by === resource_id ||
    (await tookPart(db, { company_id, user_id: resource_id }, row.id))
  );
};

/** Accounts and people whom a held near miss names by id are held too: the pseudonym would change what it shows. */
const isUnder = async (db: Db, company_id: number, spot: Spot, row: HeldRow): Promise<boolean> => {
  if (spot.resource === 'near_misses') return row.id === spot.resource_id;
  if (spot.resource === 'incidents') return row.incident_id === spot.resource_id;
  return (
    ['user', 'person', 'party'].includes(spot.kind) && (await namesById(db, company_id, spot, row))
  );
};

/** @param user_id who erases */
const accountObstacle = async (
  db: Db,
  { company_id, user_id }: { readonly company_id: number; readonly user_id: number },
  { kind, resource_id }: Spot,
): Promise<Obstacle | null> => {
  if (kind !== 'user' || resource_id === null) return null;
  if (resource_id === user_id) return 'own_account';
  if (await isElsewhere(db, company_id, resource_id)) return 'elsewhere';
  const { level, active } = (await findUser(db, company_id, resource_id)) ?? {};
  const isAdmin = level === 'admin' && active === 1;
  return isAdmin && (await countActiveAdmins(db, company_id)) === 1 ? 'last_admin' : null;
};

export type Judge = (spot: Spot) => Promise<Held | null>;

/** Reads the holds once. @param actor who erases */
export const judgeOf = async (
  db: Db,
  actor: { readonly company_id: number; readonly user_id: number },
): Promise<Judge> => {
  const held = await listHeld(db, actor.company_id);
  return async (spot) => {
    const why = await accountObstacle(db, actor, spot);
    if (why !== null) return { why, reason: null };
    for (const row of held)
      if (await isUnder(db, actor.company_id, spot, row))
        return { why: 'legal_hold', reason: row.reason };
    return null;
  };
};
