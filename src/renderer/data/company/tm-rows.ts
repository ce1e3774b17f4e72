/**
 * Rows, lanes and keys of the files of time-and-material entries. Pure. There is one lane per entry and account;
 * files whose entry the server does not name share lane 0.
 */
import type { EntryAttachment } from '../../../contract/rest/attachments.ts';
import type { FileToAttach } from '../../operations/company/entry-file.ts';
import { optimisticPatchOf } from '../../operations/operation.ts';
import { entryFile } from '../../operations/queued.ts';
import type { OutboxOperation, SpotterDb, TmAttachmentRow } from '../db/db.ts';
import { accountMark } from '../model/near-miss-rows.ts';
import type { RefreshScope } from '../near-misses/refresh-rows.ts';

const LANE = /^tm-([0-9a-z]{1,20})-(\d{1,16})-(\d{1,16})$/;

/** The lane of an entry's files; `null`: the entry is not known. */
export const tmLane = (account: string, project_id: number, entry_id: number | null): string =>
  `tm-${accountMark(account)}-${project_id}-${entry_id ?? 0}`;

/** Parses a lane's name; null for any other lane. `id` null: the entry is not known. */
export const tmEntryOf = (
  lane: string,
): { readonly project_id: number; readonly id: number | null } | null => {
  const [, , project_id, id] = LANE.exec(lane) ?? [];
  if (project_id === undefined) return null;
  return { project_id: Number(project_id), id: Number(id) === 0 ? null : Number(id) };
};

/** The key of a file first seen on the server. */
export const serverAttachmentKey = (account: string, id: number): string =>
  `tm-srv-${accountMark(account)}-${id}`;

const MADE_HERE = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/**
 * The reference to a row in a deletion entry. It is lower case on purpose: the journal retains spool files that an
 * entry names by id, and these bytes may be deleted.
 */
export const attachmentRef = (key: string): string =>
  MADE_HERE.test(key.toLowerCase()) ? key.toLowerCase() : key;
export const attachmentKey = (ref: string): string =>
  MADE_HERE.test(ref) ? ref.toUpperCase() : ref;

/** Merges the server's copy into the local row. Values the server omits, such as the entry, stay as they were. */
export const rowOfServer = (
  { account, company_id, project_id }: RefreshScope,
  copy: EntryAttachment,
  had: TmAttachmentRow | undefined,
  seen_at: number,
): TmAttachmentRow => {
  const entry_id = copy.time_and_material_entry_id ?? had?.time_and_material_entry_id ?? null;
  return {
    key: had?.key ?? serverAttachmentKey(account, copy.id),
    account,
    company_id,
    project_id,
    lane: tmLane(account, project_id, entry_id),
    time_and_material_entry_id: entry_id,
    server_id: copy.id,
    state: 'delivered',
    seen_at,
    filename: copy.filename ?? had?.filename ?? '',
    content_type: copy.content_type ?? had?.content_type ?? null,
    has_bytes: Boolean(copy.url),
    has_thumbnail: Boolean(copy.thumbnail_url),
    size: had?.size ?? null,
    sha256: had?.sha256 ?? null,
    in_spool: had?.in_spool ?? false,
    thumbnail: had?.thumbnail ?? null,
    receipt: had?.receipt ?? null,
    created_at: had?.created_at ?? seen_at,
  };
};

/** The keys of the rows that a pending entry deletes. */
export const takenAway = (entry: OutboxOperation): readonly string[] => {
  const over = optimisticPatchOf(entry);
  return over?.puts === 'no_files' ? over.attachment_refs.map(attachmentKey) : [];
};

/** The pending entry of a lane that attaches a row. */
export const attaching = (
  lane: readonly OutboxOperation[],
  { key }: Pick<TmAttachmentRow, 'key'>,
): OutboxOperation | undefined =>
  lane.find((entry) => entryFile.create.read(entry)?.payload.attachment_key === key);

interface Attaching extends Pick<OutboxOperation, 'account' | 'lane' | 'created_at'> {
  readonly payload: FileToAttach;
}

export const waitingRow = ({ account, lane, created_at, payload }: Attaching): TmAttachmentRow => {
  const { attachment_key, company_id, project_id, photo, name } = payload;
  return {
    key: attachment_key,
    account,
    company_id,
    project_id,
    lane,
    time_and_material_entry_id: payload.time_and_material_entry_id,
    server_id: null,
    filename: photo?.filename ?? name,
    content_type: photo?.content_type ?? null,
    has_bytes: false,
    has_thumbnail: false,
    size: photo?.size ?? null,
    sha256: photo?.sha256 ?? null,
    in_spool: photo !== null,
    thumbnail: null,
    state: 'waiting',
    receipt: null,
    created_at,
    seen_at: 0,
  };
};

/** Tables that a change of files writes to, besides the queue. */
export const tmTables = (db: SpotterDb) => [db.tm_attachments];
