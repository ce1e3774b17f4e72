/**
 * Pure: the files of time-and-material entries as rows, their lanes and keys. One lane per entry and account; files of which
 * the server does not tell the entry share one of their own (entry 0).
 */
import type { EntryAttachment } from '../../../contract/rest/attachments.ts';
import type { FileToAttach } from '../../entries/company/entry-file.ts';
import { overOf } from '../../entries/entry.ts';
import { entryFile } from '../../entries/queued.ts';
import type { OutboxEntry, SpotterDb, TmAttachmentRow } from '../db.ts';
import { accountMark } from '../near-miss-rows.ts';
import type { RefreshScope } from '../refresh.ts';

const LANE = /^tm-([0-9a-z]{1,20})-(\d{1,16})-(\d{1,16})$/;

/** The lane of an entry's files; `null`: of files whose entry is not known. */
export const tmLane = (account: string, project_id: number, entry_id: number | null): string =>
  `tm-${accountMark(account)}-${project_id}-${entry_id ?? 0}`;

/** The entry that a lane belongs to, null for a lane of another kind. `id` null: the entry is not known. */
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
 * How an entry names the row it takes away. In small letters: the journal keeps what it names by its id in the spool, and
 * these bytes may go.
 */
export const attachmentRef = (key: string): string =>
  MADE_HERE.test(key.toLowerCase()) ? key.toLowerCase() : key;
export const attachmentKey = (ref: string): string =>
  MADE_HERE.test(ref) ? ref.toUpperCase() : ref;

/** The server's copy over what is known here. What a server does not tell of the entry stays as this laptop knows it. */
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

/** What an entry that waits takes away: the keys of its rows. */
export const takenAway = (entry: OutboxEntry): readonly string[] => {
  const over = overOf(entry);
  return over?.puts === 'no_files' ? over.attachment_refs.map(attachmentKey) : [];
};

/** The entry that waits to attach a row, of those of its lane. */
export const attaching = (
  lane: readonly OutboxEntry[],
  { key }: Pick<TmAttachmentRow, 'key'>,
): OutboxEntry | undefined =>
  lane.find((entry) => entryFile.create.read(entry)?.payload.attachment_key === key);

interface Attaching extends Pick<OutboxEntry, 'account' | 'lane' | 'created_at'> {
  readonly payload: FileToAttach;
}

/** What waits, as the list shows it: of an entry that attaches. */
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

/** What a change of files writes to besides the queue. */
export const tmTables = (db: SpotterDb) => [db.tm_attachments];
