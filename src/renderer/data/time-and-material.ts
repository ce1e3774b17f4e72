/**
 * The files of time-and-material entries: what a person does to them and how the screen reads them. Every change is one
 * transaction with its outbox entry, then the host's journal, then the answer: it works the same with no network.
 */
import { monotonicFactory, ulid } from 'ulid';
import { fail, ok, type Problem, type Result } from '../../contract/problem.ts';
import type { EntryAttachment } from '../../contract/rest/attachments.ts';
import { addEntry, dropEntry, queueChange, queueTables, tellJournal } from '../outbox/enqueue.ts';
import { neverDone } from '../outbox/entry.ts';
import { type TmAttachmentCreate, waitingRow } from '../outbox/operations/tm-attachment-create.ts';
import type { UnsafeReason } from '../photos/formats/inspection.ts';
import { inspect } from '../photos/formats/inspect.ts';
import type { Inspection } from '../photos/formats/inspection.ts';
import { smaller } from '../photos/rendition.ts';
import { makeThumbnail } from '../photos/thumbnail.ts';
import { briefOf, type WaitingBrief } from './company-change.ts';
import type { Deps, OutboxEntry, SpotterDb, TmAttachmentRow } from './db.ts';
import { storageProblem } from './near-misses.ts';
import { fetchWhole, originalBlob, thumbnailAgain, type Fetching } from './photos.ts';
import type { RefreshScope } from './refresh.ts';
import { attachmentRef, rowOfServer, takenAway, tmLane } from './tm-rows.ts';

const tables = (db: SpotterDb) => [...queueTables(db), db.tm_attachments] as const;
const newId = monotonicFactory();

type Change = ReturnType<typeof queueChange>;

/** One transaction over the queue and the files, then the journal. */
const change = async <T>(deps: Deps, work: (change: Change) => Promise<T>): Promise<Result<T>> => {
  const changed = queueChange();
  let value: T;
  try {
    value = await deps.db.transaction('rw', tables(deps.db), () => work(changed));
  } catch (error) {
    return fail(storageProblem(error));
  }
  const told = await tellJournal(deps, changed, () => null);
  return told.ok ? ok(value) : told;
};

const laneEntries = (db: SpotterDb, lane: string): Promise<OutboxEntry[]> =>
  db.entries.where('lane').equals(lane).sortBy('seq');

/** Of an entry of the time-and-material kind. */
export interface AttachTarget extends RefreshScope {
  readonly time_and_material_entry_id: number;
}

/** Why a file was not attached. */
export type AttachRefusal =
  | { readonly kind: 'problem'; readonly problem: Problem }
  | { readonly kind: 'duplicate' }
  /** What it says of people and places cannot be taken out safely. */
  | { readonly kind: 'personal'; readonly reason: UnsafeReason };

export type AttachOutcome =
  | { readonly ok: true; readonly filename: string }
  | { readonly ok: false; readonly filename: string; readonly refusal: AttachRefusal };

const queueCreate = async (
  deps: Deps,
  changed: Change,
  target: AttachTarget,
  made: Pick<
    TmAttachmentCreate,
    'attachment_key' | 'photo' | 'original' | 'documents' | 'folders' | 'name'
  >,
  thumbnail: Blob | null,
): Promise<void> => {
  const { account, company_id, project_id, time_and_material_entry_id } = target;
  const key = tmLane(account, project_id, time_and_material_entry_id);
  const payload: TmAttachmentCreate = {
    ...{ key, company_id, project_id, time_and_material_entry_id },
    ...{ associate_key: ulid(), ...made },
  };
  const kind = 'tm_attachment.create';
  const entry = await addEntry(deps.db, changed, account, deps.clock.now(), {
    ...{ kind, version: 1, lane: key, payload },
  });
  const row = waitingRow(entry);
  if (row !== null) await deps.db.tm_attachments.put({ ...row, thumbnail });
};

export interface AttachOptions {
  /** Take out what a photo says of people, places and devices. */
  readonly privacy: boolean;
  /** Pixels of the longer side of what is sent of a photo; null: as it is. */
  readonly max_side: number | null;
  readonly progress?: (filename: string, written: number, size: number) => void;
}

/** The bytes to be sent: without what a photo says of people, places and devices, where that is wanted. */
const bodyOf = async (
  file: File,
  privacy: boolean,
): Promise<
  | { readonly blob: Blob; readonly thumbnail: Blob | null; readonly seen: Inspection }
  | AttachRefusal
> => {
  const seen = await inspect(file);
  const thumbnail = seen.type === null ? null : await makeThumbnail(file, seen);
  if (!privacy || seen.type === null || seen.stripped.kind === 'clean')
    return { blob: file, thumbnail, seen };
  if (seen.stripped.kind === 'unsafe') return { kind: 'personal', reason: seen.stripped.reason };
  return { blob: seen.stripped.blob, thumbnail, seen };
};

const attachOne = async (
  deps: Deps,
  target: AttachTarget,
  file: File,
  { privacy, max_side, progress }: AttachOptions,
): Promise<AttachRefusal | null> => {
  const body = await bodyOf(file, privacy);
  if ('kind' in body) return body;
  const { blob, seen, thumbnail } = body;
  const photo_id = newId();
  const written = (bytes: number) => progress?.(file.name, bytes, file.size);
  const facts = await deps.host.sendPhoto(
    ...[blob, photo_id, file.name, written, undefined, 'attachment' as const],
  );
  if (!facts.ok) return { kind: 'problem', problem: facts.problem };
  const sent = await smaller(deps, facts.value, blob, seen, max_side);
  const discard = async () => {
    // Named by the journal already, they stay (host: `photos.discard`).
    for (const id of new Set([photo_id, ...(sent.ok ? [sent.value.photo_id] : [])]))
      await deps.host.call('photos.discard', { photo_id: id });
  };
  if (!sent.ok) {
    await discard();
    return { kind: 'problem', problem: sent.problem };
  }
  const { original, ...photo } = sent.value;
  const { account, project_id, time_and_material_entry_id } = target;
  const lane = tmLane(account, project_id, time_and_material_entry_id);
  const { filename, sha256, size } = photo;
  const saved = await change(deps, async (changed) => {
    const there = await deps.db.tm_attachments.where('lane').equals(lane).toArray();
    const going = (await laneEntries(deps.db, lane)).flatMap(takenAway);
    if (there.some((row) => row.sha256 === sha256 && row.size === size && !going.includes(row.key)))
      return false;
    const made = {
      ...{ attachment_key: photo.photo_id, photo, documents: [], folders: [], name: filename },
      ...(original === undefined ? {} : { original }),
    };
    await queueCreate(deps, changed, target, made, thumbnail);
    return true;
  });
  if (saved.ok && saved.value) return null;
  await discard();
  return saved.ok ? { kind: 'duplicate' } : { kind: 'problem', problem: saved.problem };
};

/**
 * Attaches files of any kind to an entry. Every file has an outcome, in the order given; none stops the others. `ok` means
 * saved on this laptop: in the spool, in the database and in the journal.
 */
export const attachFiles = async (
  deps: Deps,
  target: AttachTarget,
  files: readonly File[],
  options: AttachOptions,
): Promise<readonly AttachOutcome[]> => {
  const outcomes: AttachOutcome[] = [];
  for (const file of files) {
    const refusal = await attachOne(deps, target, file, options);
    outcomes.push(
      refusal === null
        ? { ok: true, filename: file.name }
        : { ok: false, filename: file.name, refusal },
    );
  }
  return outcomes;
};

/** Attaches documents and folders of the project's catalog, in one request. `name`: what is said of it while it waits. */
export const attachDocuments = (
  deps: Deps,
  target: AttachTarget,
  chosen: Pick<TmAttachmentCreate, 'documents' | 'folders' | 'name'>,
): Promise<Result<null>> =>
  change(deps, async (changed) => {
    const made = { attachment_key: newId(), photo: null, ...chosen };
    await queueCreate(deps, changed, target, made, null);
    return null;
  });

const isCreateOf =
  (row: TmAttachmentRow) =>
  ({ kind, payload }: OutboxEntry): boolean =>
    kind === 'tm_attachment.create' && (payload as TmAttachmentCreate).attachment_key === row.key;

/** Takes one away inside the transaction. Answers null where it must be said to the server, with its id where it is known. */
const takeAway = async (
  { db }: Deps,
  changed: Change,
  row: TmAttachmentRow,
): Promise<'taken_back' | 'conflict' | null> => {
  const create = (await laneEntries(db, row.lane)).find(isCreateOf(row));
  if (create === undefined) return null;
  if (neverDone(create)) {
    await dropEntry(db, changed, create);
    await db.tm_attachments.delete(row.key);
    return 'taken_back';
  }
  // Documents become attachments of their own: which ones is known only when they are there.
  if (!row.in_spool) return 'conflict';
  // One that will never be sent again by itself: only what the server may have of it is left to delete.
  if (create.state === 'parked') await dropEntry(db, changed, create);
  return null;
};

const deletionOf = (row: TmAttachmentRow) => ({
  ...{ key: row.lane, project_id: row.project_id, name: row.filename },
  attachment_ref: attachmentRef(row.key),
  ...{ server_id: row.server_id, time_and_material_entry_id: row.time_and_material_entry_id },
  in_spool: row.in_spool,
});

/**
 * Deletes files from their entries: those never sent leave no trace, the others go when the queue moves; many of one entry
 * in one request. `conflict`: documents that are just being attached.
 */
export const removeAttachments = async (
  deps: Deps,
  keys: readonly string[],
): Promise<Result<'taken_back' | 'queued'>> => {
  const discard: string[] = [];
  const done = await change(deps, async (changed) => {
    const { db, clock } = deps;
    const rows = (await db.tm_attachments.bulkGet([...keys])).filter((row) => row !== undefined);
    const told: TmAttachmentRow[] = [];
    let busy = false;
    for (const row of rows) {
      const waiting = await laneEntries(db, row.lane);
      if (waiting.flatMap(takenAway).includes(row.key)) continue;
      const create = waiting.find(isCreateOf(row))?.payload as TmAttachmentCreate | undefined;
      const taken = await takeAway(deps, changed, row);
      if (taken === null) told.push(row);
      busy ||= taken === 'conflict';
      if (taken !== 'taken_back' || !row.in_spool) continue;
      discard.push(row.key, ...(create?.original ? [create.original.photo_id] : []));
    }
    for (const [lane, of] of Map.groupBy(told, (row) => row.lane)) {
      const known = of.flatMap((row) =>
        row.server_id === null
          ? []
          : [{ attachment_ref: attachmentRef(row.key), server_id: row.server_id }],
      );
      const bulk = known.length > 1;
      const { account, project_id } = of[0] as TmAttachmentRow;
      const queue = (kind: string, payload: unknown) =>
        addEntry(db, changed, account, clock.now(), { kind, version: 1, lane, payload });
      if (bulk)
        await queue('tm_attachment.bulk_delete', { key: lane, project_id, attachments: known });
      for (const row of of)
        if (!bulk || row.server_id === null) await queue('tm_attachment.delete', deletionOf(row));
    }
    return { queued: told.length > 0, busy };
  });
  if (!done.ok) return done;
  for (const photo_id of discard) await deps.host.call('photos.discard', { photo_id });
  if (done.value.busy) return fail({ kind: 'conflict', status: 409, messages: [] });
  return ok(done.value.queued ? 'queued' : 'taken_back');
};

/** A file as the list shows it. */
export interface TmAttachmentView {
  readonly row: TmAttachmentRow;
  /** What waits for it, null where nothing does. */
  readonly entry: Pick<OutboxEntry, 'id' | 'state' | 'last_problem'> | null;
  /** It was deleted here, and that is parked: it is still there. */
  readonly undeleted: WaitingBrief | null;
}

/** liveQuery: the files of an entry, or of the whole project, newest first; those being deleted are not among them, unless that was refused. */
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
  const entries = await db.entries.where('lane').anyOf(lanes).sortBy('seq');
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
      ...{ row, entry: entries.find(isCreateOf(row)) ?? null },
      undeleted: undeleted.get(row.key) ?? null,
    }));
};

/** liveQuery: how many files of each entry are known here; the key 0 holds those of no known entry. */
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

const RECENT = 20;
const recentName = ({ account, project_id }: Pick<RefreshScope, 'account' | 'project_id'>) =>
  `tm_recent ${project_id} ${account}`;

/** liveQuery: entries opened lately on this laptop, the last one first. */
export const recentEntries = async (
  { db }: Pick<Deps, 'db'>,
  scope: Pick<RefreshScope, 'account' | 'project_id'>,
): Promise<readonly number[]> => {
  const kept = (await db.meta.get(recentName(scope)))?.value;
  return Array.isArray(kept) ? kept.filter((id): id is number => typeof id === 'number') : [];
};

export const rememberEntry = async (
  deps: Pick<Deps, 'db'>,
  scope: Pick<RefreshScope, 'account' | 'project_id'>,
  id: number,
): Promise<void> => {
  const had = await recentEntries(deps, scope);
  const value = [id, ...had.filter((one) => one !== id)].slice(0, RECENT);
  await deps.db.meta.put({ name: recentName(scope), value });
};

const PAGE_SIZE = 1000;

const putCopies = (
  { db, clock }: Deps,
  scope: RefreshScope,
  copies: readonly EntryAttachment[],
  asked_at: number,
): Promise<void> =>
  db.transaction('rw', db.tm_attachments, async () => {
    const now = clock.tick();
    const ids = copies.map((copy) => [scope.account, copy.id]);
    const here = await db.tm_attachments.where('[account+server_id]').anyOf(ids).toArray();
    const known = new Map(here.map((row) => [row.server_id, row]));
    const rows = copies.flatMap((copy) => {
      const had = known.get(copy.id);
      return had !== undefined && had.seen_at > asked_at
        ? []
        : [rowOfServer(scope, copy, had, now)];
    });
    await db.tm_attachments.bulkPut(rows);
  });

/** Brings the files of a project up to date. What the server no longer lists goes, once a whole pass saw as many as it counts. */
export const refreshAttachments = async (
  deps: Deps,
  scope: RefreshScope,
): Promise<Result<null>> => {
  const { db, host, clock } = deps;
  const { account, project_id } = scope;
  const started_at = clock.tick();
  const seen = new Set<number>();
  for (let page = 1; ; page += 1) {
    const asked_at = clock.tick();
    const answer = await host.request('time_and_material_entry_attachments.list', {
      params: { project_id },
      query: { page, per_page: PAGE_SIZE },
    });
    if (!answer.ok) return answer;
    const { data, paging } = answer.value;
    await putCopies(deps, scope, data, asked_at);
    for (const copy of data) seen.add(copy.id);
    if (data.length > 0 && paging?.has_next === true) continue;
    if (paging?.total !== undefined && paging.total !== seen.size) return ok(null);
    break;
  }
  await db.tm_attachments
    .where({ account, project_id })
    .and((row) => row.server_id !== null && !seen.has(row.server_id) && row.seen_at < started_at)
    .delete();
  return ok(null);
};

/** The bytes of a file: this laptop's own, else the server's. A `thumbnail` only where there is one. */
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
  const place = { project_id: row.project_id, attachment_id: row.server_id, variant };
  return fetchWhole(
    (offset) => deps.host.call('photos.entry_attachment', { ...place, offset }),
    how,
  );
};
