/**
 * [ours] Reads all that an evidence pack shows of a near miss (decisions §19.2). The queries are separate statements, so a record
 * that changes between them is read again: a receipt never covers a state that did not exist.
 */
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import type { HistoryChange } from '../../../contract/rest/history/near-miss-history.ts';
import type { Db } from '../../store/engine/db.ts';
import { affectedNames, peopleNames, projectName } from '../../store/evidence/names.ts';
import {
  listAttachments,
  type AttachmentRow,
} from '../../store/near-misses/near-miss-attachments.ts';
import * as history from '../../store/near-misses/near-miss-history.ts';
import * as lists from '../../store/near-misses/near-miss-lists.ts';
import { findCompany } from '../../store/users.ts';
import { readDefinitions } from '../catalog.ts';
import { notFound, Refusal } from '../problem.ts';

export interface Target {
  readonly company_id: number;
  readonly project_id: number;
  readonly user_id: number;
  readonly near_miss_id: number;
}

export interface EvidenceRecord {
  readonly row: lists.NearMissRow;
  readonly beginning: NonNullable<Awaited<ReturnType<typeof history.findBeginning>>>;
  /** Oldest first. */
  readonly entries: readonly history.ShownEntry[];
  readonly photos: readonly AttachmentRow[];
  /** Retired fields too: old records have values of them. */
  readonly definitions: readonly CustomFieldDefinition[];
  readonly company: string;
  readonly project: string;
  /** Names and logins of everybody in the company. */
  readonly names: readonly string[];
  /** Names of those whom an earlier state of the record named as affected. */
  readonly former: readonly string[];
}

const HISTORY_MAX = 100_000;
const ATTEMPTS = 5;

/** Admins see every report, and private incidents as any user does. Recycled near misses are evidence too. */
const find = (db: Db, { near_miss_id, ...where }: Target) =>
  lists.findNearMiss(db, { ...where, recycled: null, own: false }, near_miss_id);

/** @throws Refusal 404 */
export const requireRecord = async (db: Db, target: Target): Promise<lists.NearMissRow> => {
  const row = await find(db, target);
  if (!row) throw notFound();
  return row;
};

/** What a field was changed from and to. */
const idsIn = (entries: readonly history.ShownEntry[], name: string): number[] =>
  entries
    .flatMap(({ changes }) => JSON.parse(changes ?? '[]') as HistoryChange[])
    .filter(({ field }) => field === name)
    .flatMap(({ from, to }) => [from, to])
    .filter((one) => typeof one === 'number');

const readOnce = async (db: Db, target: Target): Promise<EvidenceRecord | null> => {
  const { company_id, project_id, near_miss_id } = target;
  const where = { company_id, near_miss_id };
  const row = await requireRecord(db, target);
  const entries = await history.listEntries(db, where, { limit: HISTORY_MAX, offset: 0 });
  const beginning = await history.findBeginning(db, where);
  const photos = (await listAttachments(db, company_id, [near_miss_id])).get(near_miss_id) ?? [];
  const definitions = await readDefinitions(db, { company_id, project_id });
  const record = {
    row,
    entries: entries.toReversed(),
    photos,
    definitions: [...definitions.values()],
    company: (await findCompany(db, company_id))?.name ?? '',
    project: await projectName(db, target),
    names: await peopleNames(db, company_id),
    former: await affectedNames(db, company_id, {
      people: idsIn(entries, 'affected_person_id'),
      parties: idsIn(entries, 'affected_party_id'),
    }),
  };
  const after = await find(db, target);
  const last = await history.lastEntry(db, where);
  // A redaction changes no near miss, but is an entry.
  const same = after?.updated_at === row.updated_at && last?.position === entries[0]?.position;
  return beginning && same ? { ...record, beginning } : null;
};

/** @throws Refusal 404; 503 if the record keeps changing */
export const readRecord = async (db: Db, target: Target): Promise<EvidenceRecord> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const record = await readOnce(db, target);
    if (record) return record;
  }
  throw new Refusal(503, ['The near miss is being changed. Ask for the pack again.'], {
    'Retry-After': '1',
  });
};
