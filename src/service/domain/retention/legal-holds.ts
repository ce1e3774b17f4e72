/** [ours] The rules of legal holds (decisions §20.5). */
import type { LegalHold, LegalHoldPut } from '../../../contract/rest/retention/legal-holds.ts';
import { stampChange } from '../../store/engine/change-clock.ts';
import type { Db } from '../../store/engine/db.ts';
import * as store from '../../store/retention/legal-holds.ts';
import { contentTag, requireMatch } from '../etag.ts';
import { recordAct, type Actor } from '../evidence/admin-acts.ts';
import { requireRecord, type Target } from '../evidence/record.ts';
import { wireTime } from '../near-misses/near-miss-view.ts';
import { conflict } from '../problem.ts';

const refusals = {
  delete: 'it cannot be deleted',
  redact: 'its history cannot be redacted',
  remove_photo: 'its photos cannot be removed',
  remove_comment: 'its comments cannot be removed',
} as const;
type HeldAct = keyof typeof refusals;

/** @throws Refusal 409 */
export const requireNotHeld = async (
  db: Db,
  where: { readonly company_id: number; readonly near_miss_id: number },
  what: HeldAct,
): Promise<void> => {
  const hold = await store.findHold(db, where);
  if (!hold) return;
  const day = wireTime(hold.created_at).slice(0, 10);
  throw conflict(
    `This near miss has been under a legal hold since ${day}, so ${refusals[what]}. An admin of the company can release the hold.`,
  );
};

/** A hold and the ETag of this state (decisions §1.7). */
interface Tagged {
  readonly data: LegalHold;
  readonly etag: string;
}

/** @throws Refusal 404 */
export const showHold = async (db: Db, target: Target): Promise<Tagged> => {
  await requireRecord(db, target);
  const hold = await store.findHold(db, target);
  const tagged = (data: LegalHold): Tagged => ({ data, etag: contentTag(data) });
  if (!hold) return tagged({ held: false, reason: null, set_by: null, set_at: null });
  const { reason, created_at, ...set_by } = hold;
  return tagged({ held: true, reason, set_by, set_at: wireTime(created_at) });
};

/** What the log says of it: never the reason, which may hold names. */
const detailsOf = async (tx: Db, target: Target) => {
  const { project_id, near_miss_id } = target;
  const row = await requireRecord(tx, target);
  return { project_id, near_miss_id, number: `${row.incident_number}-${row.number}` };
};

/** @throws Refusal 404 */
export const setHold = async (
  tx: Db,
  actor: Actor,
  target: Target,
  { reason }: LegalHoldPut,
): Promise<Tagged> => {
  const details = await detailsOf(tx, target);
  const { company_id, near_miss_id, user_id } = target;
  const had = await store.findHold(tx, target);
  if (had?.reason === reason) return showHold(tx, target);
  // Takes the lock of the company, so that no sweep is anonymising the record meanwhile.
  await stampChange(tx, company_id, actor.now);
  await store.putHold(tx, { company_id, near_miss_id, reason, user_id, created_at: actor.now });
  await recordAct(tx, actor, { act: 'legal_hold_set', details });
  return showHold(tx, target);
};

/** Without a hold it changes nothing. @throws Refusal 404, 412 */
export const releaseHold = async (
  tx: Db,
  actor: Actor,
  target: Target,
  if_match: string | undefined,
): Promise<void> => {
  const details = await detailsOf(tx, target);
  requireMatch(if_match, (await showHold(tx, target)).etag);
  if (await store.deleteHold(tx, target))
    await recordAct(tx, actor, { act: 'legal_hold_released', details });
};
