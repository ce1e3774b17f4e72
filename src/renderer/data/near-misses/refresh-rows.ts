/**
 * Writes the server's copies of near misses into the rows of this laptop, and removes rows of records that the server no longer has.
 * Pending edits stay on top (`overlay`), and unchanged records are not rewritten.
 */
import { lookupFields, shownName } from '../../../contract/rest/near-miss-fields.ts';
import type { NearMiss } from '../../../contract/rest/near-misses.ts';
import type { Deps, NearMissRow, NewsRow } from '../db/db.ts';
import { dropAnonymised } from '../retention/anonymised.ts';
import { dropErased, tablesOfErased } from '../retention/erased.ts';
import { forgetNearMisses, tablesOfForgetting } from './forget.ts';
import { hasBegunUnseen, newCommentsIn, unseenAnswerIn, unseenIn } from './unseen.ts';
import { answerFields } from '../model/answer.ts';
import { fieldsOfServer, isLater, overlay, rowOf, serverKey } from '../model/near-miss-rows.ts';
import { writtenSince } from '../db/written-since.ts';

/** Rows per transaction when deleting. */
const BATCH = 200;

export interface RefreshScope {
  readonly account: string;
  readonly company_id: number;
  readonly project_id: number;
}

const names = (copy: NearMiss): readonly unknown[] => [
  copy.incident_title,
  ...lookupFields.map((name) => copy[shownName(name)]?.name),
];

/** True if a copy brings nothing new. Photo URLs are ignored, because every response has fresh ones. */
const isSame = (before: NearMiss | null, copy: NearMiss): boolean => {
  if (before === null || !copy.updated_at || before.updated_at !== copy.updated_at) return false;
  const named = names(copy);
  return (
    (before.deleted_at ?? null) === (copy.deleted_at ?? null) &&
    before.comment_count === copy.comment_count &&
    (before.attachments?.length ?? 0) === (copy.attachments?.length ?? 0) &&
    names(before).every((name, at) => name === named[at])
  );
};

/** Writes server copies in one transaction, keeping local keys and pending edits. Returns the number of written rows. */
export const putServerCopies = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  scope: RefreshScope,
  copies: readonly NearMiss[],
  asked_at: number,
  /** Whether to mark changes as unseen. False for a record that is open on the screen. */
  marksUnseen = false,
): Promise<number> => {
  const { account, project_id } = scope;
  return db.transaction(
    'rw',
    [db.near_misses, db.operations, db.catalogs, db.news, db.meta, ...tablesOfErased(db)],
    async () => {
      const known = new Map<number, NearMissRow>();
      const ids = copies.map((copy) => [account, copy.id]);
      for (const row of await db.near_misses.where('[account+server_id]').anyOf(ids).toArray())
        if (row.server_id !== null) known.set(row.server_id, row);
      const now = clock.tick();
      const fresh = copies.filter((copy) => {
        const row = known.get(copy.id);
        if (row === undefined) return true;
        // The row was written here after the page was requested. The page is older, unless the server says that it is later.
        const older = writtenSince(row.seen_at, asked_at, now) && !isLater(copy, row.server);
        return !older && !isSame(row.server, copy);
      });
      if (fresh.length === 0) return 0;
      const catalog = (await db.catalogs.get([account, project_id]))?.catalog ?? null;
      const keys = fresh.flatMap((copy) => known.get(copy.id)?.key ?? []);
      const operations = await db.operations.where('lane').anyOf(keys).toArray();
      const lanes = Map.groupBy(operations, (operation) => operation.lane);
      const answer = answerFields(catalog?.custom_field_definitions ?? []);
      const marks = await db.news.bulkGet(keys);
      const marked = new Map(marks.flatMap((mark) => (mark ? [[mark.key, mark]] : [])));
      const rows: NearMissRow[] = [];
      const news: NewsRow[] = [];
      for (const copy of fresh) {
        const row = known.get(copy.id) ?? freshRow(scope, copy, now);
        const lane = lanes.get(row.key) ?? [];
        const fresh_comments = newCommentsIn(known.get(copy.id), copy, lane);
        const kind = unseenIn(known.get(copy.id), copy, fresh_comments);
        if (kind !== null) {
          const comments = (marked.get(row.key)?.comments ?? 0) + fresh_comments;
          const by = unseenAnswerIn(known.get(copy.id), copy, answer, marked.get(row.key));
          const answered = by === undefined ? {} : { answered_by: by };
          const commented = comments > 0 ? { comments } : {};
          news.push({ key: row.key, account, project_id, kind, ...answered, ...commented });
        }
        rows.push(overlay(row, copy, lane, catalog, now));
      }
      await db.near_misses.bulkPut(rows);
      await dropAnonymised(db, rows);
      const before = [...known.values()].map(({ key, server }) => [key, server] as const);
      await dropErased(db, rows, new Map(before));
      if (marksUnseen && news.length > 0 && (await hasBegunUnseen(db, scope)))
        await db.news.bulkPut(news);
      return rows.length;
    },
  );
};

const freshRow = (scope: RefreshScope, copy: NearMiss, now: number): NearMissRow =>
  rowOf(
    {
      account: scope.account,
      company_id: scope.company_id,
      project_id: scope.project_id,
      key: serverKey(scope.account, copy.id),
      server_id: copy.id,
      fields: fieldsOfServer(copy),
      server: copy,
      created_at: now,
      updated_at: now,
      removed_at: null,
      seen_at: 0,
    },
    null,
  );

/** Rows removed, and rows that stay because of their queued operations. */
interface Forgotten {
  readonly removed: number;
  readonly waiting: readonly NearMissRow[];
}

/** Removes the rows that the server no longer has, in batches. */
const removeRows = async (
  { db, clock }: Deps,
  keys: readonly string[],
  isGone: (row: NearMissRow, server_id: number, now: number) => boolean,
): Promise<Forgotten> => {
  let removed = 0;
  const waiting: NearMissRow[] = [];
  for (let at = 0; at < keys.length; at += BATCH) {
    const batch = keys.slice(at, at + BATCH);
    await db.transaction('rw', [db.operations, ...tablesOfForgetting(db)], async () => {
      const now = clock.tick();
      const gone: NearMissRow[] = [];
      for (const row of await db.near_misses.bulkGet(batch)) {
        if (!row || row.server_id === null || !isGone(row, row.server_id, now)) continue;
        const queued = await db.operations.where('lane').equals(row.key).count();
        (queued === 0 ? gone : waiting).push(row);
      }
      await forgetNearMisses(db, gone);
      removed += gone.length;
    });
  }
  return { removed, waiting };
};

/**
 * Removes rows that a whole list lacks, unless they were written here since.
 * @param isKept true if the server has the record with this id after all
 */
export const forgetRows = async (
  deps: Deps,
  keys: readonly string[],
  isKept: (server_id: number) => boolean,
  started_at: number,
): Promise<number> => {
  const { removed } = await removeRows(
    deps,
    keys,
    (row, id, now) => !isKept(id) && !writtenSince(row.seen_at, started_at, now),
  );
  return removed;
};

/** A record that was deleted or is no longer visible. */
export type GoneRecord = Pick<NearMiss, 'id' | 'deleted_at'>;

/**
 * Removes records that the server says are gone, unless it has shown them later.
 * @returns how many were removed, and which of them wait for their queued operations
 */
export const forgetGone = async (
  deps: Deps,
  { account }: RefreshScope,
  records: readonly GoneRecord[],
): Promise<{ readonly removed: number; readonly waiting: readonly GoneRecord[] }> => {
  if (records.length === 0) return { removed: 0, waiting: [] };
  const gone = new Map(records.map(({ id, deleted_at }) => [id, { id, deleted_at }]));
  const keys = await deps.db.near_misses
    .where('[account+server_id]')
    .anyOf([...gone.keys()].map((id) => [account, id]))
    .primaryKeys();
  const { removed, waiting } = await removeRows(deps, keys, ({ server }, id) => {
    const record = gone.get(id);
    return record !== undefined && !(server !== null && isLater(server, record));
  });
  return { removed, waiting: waiting.flatMap((row) => gone.get(row.server_id ?? 0) ?? []) };
};
