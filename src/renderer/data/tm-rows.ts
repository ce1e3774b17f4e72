/**
 * Pure: the files of time-and-material entries as rows, their lanes and keys. One lane per entry and account; files of which
 * the server does not tell the entry share one of their own (entry 0).
 */
import type { EntryAttachment } from '../../contract/rest/attachments.ts';
import type { OutboxEntry, SpotterDb, TmAttachmentRow } from './db.ts';
import { accountMark } from './near-miss-rows.ts';
import type { RefreshScope } from './refresh.ts';

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
    ...{ key: had?.key ?? serverAttachmentKey(account, copy.id), account, company_id, project_id },
    ...{ lane: tmLane(account, project_id, entry_id), time_and_material_entry_id: entry_id },
    ...{ server_id: copy.id, state: 'delivered', seen_at },
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
export const takenAway = ({ kind, payload }: Pick<OutboxEntry, 'kind' | 'payload'>): string[] => {
  const given = payload as {
    readonly attachment_ref?: string;
    readonly attachments?: readonly { readonly attachment_ref: string }[];
  } | null;
  if (kind === 'tm_attachment.delete') return [attachmentKey(given?.attachment_ref ?? '')];
  if (kind === 'tm_attachment.bulk_delete')
    return (given?.attachments ?? []).map((one) => attachmentKey(one.attachment_ref));
  return [];
};

/** What a change of files writes to besides the queue. */
export const tmTables = (db: SpotterDb) => [db.tm_attachments];

/** Is an entry that waits the one that attaches this row? */
export const isCreateOf =
  (row: TmAttachmentRow) =>
  ({ kind, payload }: OutboxEntry): boolean =>
    kind === 'tm_attachment.create' &&
    (payload as { readonly attachment_key: string }).attachment_key === row.key;
