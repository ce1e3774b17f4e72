/**
 * Reads and refreshes the files of time-and-material entries: lists, counts and bytes. tm-attach.ts and tm-removal.ts
 * change them.
 */
import type { EntryAttachment } from '../../../contract/rest/attachments.ts';
import { fail, ok, type Result } from '../../../contract/problem.ts';
import { briefOf, type PendingSummary } from '../near-misses/pending-operations.ts';
import { fetchedOf, markFetched } from './fetched.ts';
import type { Deps, OutboxOperation, TmAttachmentRow } from '../db/db.ts';
import { mirror } from '../db/mirror.ts';
import { fetchWhole, originalBlob, thumbnailAgain, type Fetching } from '../photos/photos.ts';
import type { RefreshScope } from '../near-misses/refresh-rows.ts';
import { attaching, rowOfServer, takenAway, tmLane } from './tm-rows.ts';

export interface TmAttachmentView {
  readonly row: TmAttachmentRow;
  /** The pending entry that attaches it; null if none. */
  readonly entry: Pick<OutboxOperation, 'id' | 'state' | 'last_problem'> | null;
  /** The parked deletion of this file, which therefore still exists. */
  readonly undeleted: PendingSummary | null;
}

/**
 * liveQuery: the files of an entry or of the whole project, newest first. Omits files with a pending deletion, unless
 * it is parked.
 */
export const listAttachments = async (
  { db }: Pick<Deps, 'db'>,
  { account, project_id }: Pick<RefreshScope, 'account' | 'project_id'>,
  entry_id: number | null,
): Promise<readonly TmAttachmentView[]> => {
  const lane = tmLane(account, project_id, entry_id);
  const rows =
    entry_id === null
      ? await db.tm_attachments.where({ account, project_id }).toArray()
      : await db.tm_attachments.where('lane').equals(lane).toArray();
  const lanes = [...new Set(rows.map((row) => row.lane))];
  const entries = await db.operations.where('lane').anyOf(lanes).sortBy('seq');
  const going = new Set(entries.filter(({ state }) => state !== 'parked').flatMap(takenAway));
  const undeleted = new Map(
    entries
      .filter(({ state }) => state === 'parked')
      .flatMap((entry) => takenAway(entry).map((key) => [key, briefOf(entry)] as const)),
  );
  const order = (row: TmAttachmentRow): number => row.server_id ?? Number.MAX_SAFE_INTEGER;
  return rows
    .filter((row) => !going.has(row.key))
    .sort((a, b) => order(b) - order(a) || (a.key < b.key ? 1 : -1))
    .map((row) => ({
      row,
      entry: attaching(entries, row) ?? null,
      undeleted: undeleted.get(row.key) ?? null,
    }));
};

/** liveQuery: number of local files per entry; key 0 counts files without a known entry. */
export const countAttachments = async (
  deps: Pick<Deps, 'db'>,
  scope: Pick<RefreshScope, 'account' | 'project_id'>,
): Promise<ReadonlyMap<number, { readonly files: number; readonly waiting: number }>> => {
  const counts = new Map<number, { files: number; waiting: number }>();
  for (const { row } of await listAttachments(deps, scope, null)) {
    const id = row.time_and_material_entry_id ?? 0;
    const had = counts.get(id) ?? { files: 0, waiting: 0 };
    had.files += 1;
    if (row.state === 'waiting') had.waiting += 1;
    counts.set(id, had);
  }
  return counts;
};

const FETCHED = 'tm_fetched';
/** A single list covers the files of all entries. */
const ALL = 0;

/** liveQuery: true if the server's list of files was fetched, even if it was empty. */
export const filesFetched = async (
  deps: Pick<Deps, 'db'>,
  scope: Pick<RefreshScope, 'account' | 'project_id'>,
): Promise<boolean> => (await fetchedOf(deps, FETCHED, scope)).has(ALL);

export const refreshAttachments = async (
  deps: Deps,
  scope: RefreshScope,
): Promise<Result<null>> => {
  const { tm_attachments } = deps.db;
  const { account, project_id } = scope;
  const params = { project_id };
  const done = await mirror<EntryAttachment, TmAttachmentRow>(deps, {
    table: tm_attachments,
    ask: (query) =>
      deps.host.request('time_and_material_entry_attachments.list', { params, query }, account),
    known: (copies) =>
      tm_attachments
        .where('[account+server_id]')
        .anyOf(copies.map(({ id }) => [account, id]))
        .toArray(),
    idOf: ({ id }) => id,
    rowIdOf: ({ server_id }) => server_id,
    rowOf: (copy, had, seen_at) => rowOfServer(scope, copy, had, seen_at),
    held: () => tm_attachments.where({ account, project_id }).toArray(),
    drop: (rows) => tm_attachments.bulkDelete(rows.map(({ key }) => key)),
  });
  if (!done.ok) return done;
  await markFetched(deps, FETCHED, scope, ALL);
  return ok(null);
};

/** The bytes of a file: local ones if present, otherwise the server's. A `thumbnail` may not exist. */
export const attachmentBlob = async (
  deps: Deps,
  row: TmAttachmentRow,
  variant: 'thumbnail' | 'full',
  how: Fetching = {},
): Promise<Result<Blob>> => {
  if (variant === 'thumbnail' && row.thumbnail !== null) return ok(row.thumbnail);
  if (row.in_spool) {
    const { key: photo_id, size, content_type } = row;
    const file = { photo_id, size: size ?? 0, content_type: content_type ?? '' };
    const own = variant === 'full' ? await originalBlob(deps, file) : null;
    if (own?.ok) return own;
    const thumbnail = variant === 'thumbnail' ? await thumbnailAgain(deps, file) : null;
    if (thumbnail !== null) {
      await deps.db.tm_attachments.update(row.key, { thumbnail });
      return ok(thumbnail);
    }
  }
  if (row.server_id === null) return fail({ kind: 'gone', status: 404, messages: [] });
  const { project_id, server_id: attachment_id } = row;
  return fetchWhole(deps, { project_id, near_miss_id: null, attachment_id, variant }, how);
};
