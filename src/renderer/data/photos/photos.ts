/** Photos for the screens: local ones and those only the server has. */
import { customKey } from '../../../contract/text/field-by-label.ts';
import type { HostInput } from '../../../contract/host.ts';
import type { NearMissAttachment } from '../../../contract/rest/attachments.ts';
import type { Result } from '../../../contract/problem.ts';
import { knownOf, removalsIn, removes } from '../../operations/photo-removals.ts';
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import { getCatalog } from '../db/catalog.ts';
import { captionsField, readNotes, type PhotoNote } from '../model/photo-notes.ts';
import { showable } from '../../photos/shown.ts';
import { previewOf } from '../../photos/previews.ts';
import { makePrintPicture, makeThumbnail } from '../../photos/thumbnail.ts';
import { asAdded } from '../model/photo-rows.ts';
import { discardBytes } from './discard-bytes.ts';
import type { Deps, NearMissRow, PhotoRow } from '../db/db.ts';

/** One photo of a near miss: local, on the server (`remote`), or both. */
export interface PhotoView {
  /** Stable for keyed lists. */
  readonly id: string;
  readonly local: PhotoRow | null;
  readonly remote: NearMissAttachment | null;
  /** Caption and side; absent: none. */
  readonly note?: PhotoNote | undefined;
}

export const filenameOf = ({ local, remote }: Pick<PhotoView, 'local' | 'remote'>): string =>
  local?.filename ?? remote?.filename ?? '';

/** Sorts photos by their captions and adds each caption. @param field the custom field of captions */
export const withNotes = (
  { fields }: Pick<NearMissRow, 'fields'>,
  photos: readonly PhotoView[],
  field: CustomFieldDefinition | undefined,
): PhotoView[] => {
  const text = field ? fields.custom_fields[customKey(field)] : null;
  if (typeof text !== 'string' || text === '') return [...photos];
  const named = photos.map((photo) => ({ id: photo.id, filename: filenameOf(photo) }));
  const views = new Map(photos.map((photo) => [photo.id, photo]));
  return readNotes(text, named).flatMap(({ id, note }) => {
    const photo = views.get(id);
    return photo === undefined ? [] : [{ ...photo, note }];
  });
};

/** liveQuery: as `photosOf`, sorted by captions, with each caption. */
export const shownPhotosOf = async (
  deps: Pick<Deps, 'db'>,
  row: NearMissRow,
): Promise<PhotoView[]> => {
  const photos = await photosOf(deps, row);
  if (photos.length === 0) return photos;
  const catalog = await getCatalog(deps, row.account, row.project_id);
  return withNotes(row, photos, captionsField(catalog?.catalog.custom_field_definitions ?? []));
};

/** liveQuery: every photo of a near miss except those being removed, local ones first, without duplicates. */
export const photosOf = async (
  { db }: Pick<Deps, 'db'>,
  row: Pick<NearMissRow, 'key' | 'server'>,
): Promise<PhotoView[]> => {
  const lane = await db.operations.where('lane').equals(row.key).toArray();
  const here = await db.photos.where('near_miss_key').equals(row.key).toArray();
  return mergePhotos(row, here, lane);
};

/** Pure: merges a record's local photos and server photos, and applies pending removals. */
export const mergePhotos = (
  row: Pick<NearMissRow, 'server'>,
  here: readonly PhotoRow[],
  lane: Parameters<typeof removalsIn>[0],
): PhotoView[] => {
  const removals = removalsIn(lane);
  const kept = (photo: Parameters<typeof removes>[1]): boolean =>
    !removals.some((removal) => removes(removal, photo));
  const locals = asAdded(here.filter(kept));
  const remotes = (row.server?.attachments ?? []).filter((remote) => kept(knownOf(remote)));
  const same = (local: PhotoRow, remote: NearMissAttachment): boolean =>
    local.attachment_id === remote.id ||
    (local.upload_uuid !== null && local.upload_uuid === remote.upload_uuid);
  return [
    ...locals.map((local) => ({
      id: local.photo_id,
      local,
      remote: remotes.find((remote) => same(local, remote)) ?? null,
    })),
    ...remotes
      .filter((remote) => !locals.some((local) => same(local, remote)))
      .map((remote) => ({ id: `srv-${remote.id}`, local: null, remote })),
  ];
};

/** Removes a photo from a draft, here and in the spool. */
export const removeDraftPhoto = async (deps: Deps, photo_id: string): Promise<void> => {
  const row = await deps.db.photos.get(photo_id);
  const gone = await deps.db.photos
    .where({ photo_id })
    .and((row) => row.state === 'draft')
    .delete();
  if (gone > 0 && row !== undefined) await discardBytes(deps, row);
};

/** True for a video or another file type, which is not prefetched. */
export const isHeavy = ({ local, remote }: Pick<PhotoView, 'local' | 'remote'>): boolean =>
  !(local?.content_type ?? remote?.content_type ?? 'image/').startsWith('image/');

/** Progress callback and cancellation of a download. */
export interface Fetching {
  /** Receives the bytes read and the total size. */
  readonly progress?: ((read: number, size: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Downloads a file in parts and joins them in one Blob. The browser keeps large Blobs on disk. */
export const fetchWhole = async (
  { host }: Pick<Deps, 'host'>,
  file: Omit<HostInput<'photos.attachment'>, 'offset'>,
  { progress, signal }: Fetching,
): Promise<Result<Blob>> => {
  const parts: Blob[] = [];
  let type = '';
  for (let offset = 0, size = 1; offset < size;) {
    const part = await host.call('photos.attachment', { ...file, offset });
    if (signal?.aborted) return { ok: false, problem: { kind: 'cancelled' } };
    if (!part.ok) return part;
    const { output, bytes } = part.value;
    if (offset === 0) ({ content_type: type, size } = output);
    // A changed length means that the file was replaced.
    if (output.size !== size)
      return { ok: false, problem: { kind: 'gone', status: 404, messages: [] } };
    parts.push(new Blob([bytes]));
    offset += bytes.length;
    progress?.(offset, size);
  }
  return { ok: true, value: new Blob(parts, { type }) };
};

/**
 * The thumbnail of a photo in the spool: the one in progress, else a new one from the original. Null if none can be made. A
 * failure is remembered, because each attempt reads the whole original, which may be a video of gigabytes.
 */
export const thumbnailAgain = (
  deps: Pick<Deps, 'host'>,
  photo: Pick<PhotoRow, 'photo_id' | 'size' | 'content_type'>,
): Promise<Blob | null> =>
  previewOf(photo.photo_id, async () => {
    const original = await originalBlob(deps, photo);
    return original.ok ? ((await makeThumbnail(original.value)) ?? 'none') : null;
  });

/** Stores the thumbnail in the photo's row. Null if none can be made. */
export const showPreview = async (
  deps: Pick<Deps, 'db' | 'host'>,
  photo: Pick<PhotoRow, 'photo_id' | 'size' | 'content_type'>,
): Promise<Blob | null> => {
  const thumbnail = await thumbnailAgain(deps, photo);
  if (thumbnail !== null) await deps.db.photos.update(photo.photo_id, { thumbnail });
  return thumbnail;
};

/** A picture of a file that belongs to no report yet, with the bounds of every photo. Null if none can be made. */
export const pictureOfFile = (file: Blob, size: 'small' | 'large'): Promise<Blob | null> =>
  size === 'small' ? makeThumbnail(file) : makePrintPicture(file);

/** A photo's picture for display: `thumbnail` at most 512 px, `full` in full size; a video or another file unchanged. */
export const photoBlob = async (
  deps: Deps,
  row: Pick<NearMissRow, 'project_id' | 'server_id'> | null,
  photo: PhotoView,
  variant: 'thumbnail' | 'full',
  how: Fetching = {},
): Promise<Result<Blob>> => {
  if (variant === 'thumbnail' && photo.local?.thumbnail)
    return { ok: true, value: photo.local.thumbnail };
  if (photo.local !== null && variant === 'thumbnail') {
    const made = await showPreview(deps, photo.local);
    if (made !== null) return { ok: true, value: made };
  }
  if (photo.local !== null && variant === 'full') {
    const original = await originalBlob(deps, photo.local);
    if (original.ok) return { ok: true, value: await showable(original.value) };
    if (photo.remote === null) return original;
  }
  if (photo.remote === null || row?.server_id === null || row === null)
    return { ok: false, problem: { kind: 'gone', status: 404, messages: [] } };
  const place = {
    project_id: row.project_id,
    near_miss_id: row.server_id,
    attachment_id: photo.remote.id,
    variant,
  };
  const whole = await fetchWhole(deps, place, how);
  return whole.ok ? { ok: true, value: await showable(whole.value) } : whole;
};

/** Reads the original from the spool, 4 MiB per call. */
export async function* originalChunks(
  { host }: Pick<Deps, 'host'>,
  photo: Pick<PhotoRow, 'photo_id' | 'size'>,
): AsyncGenerator<Result<Uint8Array<ArrayBuffer>>> {
  for (let offset = 0; offset < photo.size;) {
    const part = await host.call('photos.read', {
      photo_id: photo.photo_id,
      offset,
      length: Math.min(4 * 1024 * 1024, photo.size - offset),
    });
    if (!part.ok) {
      yield part;
      return;
    }
    if (part.value.bytes.length === 0) {
      yield {
        ok: false,
        problem: { kind: 'photo_damaged', photo_id: photo.photo_id, reason: 'changed' },
      };
      return;
    }
    offset += part.value.bytes.length;
    yield { ok: true, value: part.value.bytes };
  }
}

export const originalBlob = async (
  deps: Pick<Deps, 'host'>,
  photo: Pick<PhotoRow, 'photo_id' | 'size' | 'content_type'>,
): Promise<Result<Blob>> => {
  const parts: Blob[] = [];
  for await (const part of originalChunks(deps, photo)) {
    if (!part.ok) return part;
    // One Blob per part, so the browser can keep large files on disk instead of in memory.
    parts.push(new Blob([part.value]));
  }
  return { ok: true, value: new Blob(parts, { type: photo.content_type }) };
};

/** The photos and files that the server verifiably has. An item that left the queue for another reason is omitted. */
export const deliveredOf = async (
  { db }: Pick<Deps, 'db'>,
  photo_ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  const rows = await db.photos.bulkGet([...photo_ids]);
  const files = await db.tm_attachments.bulkGet([...photo_ids]);
  return new Set(
    photo_ids.filter((_id, at) => [rows[at], files[at]].some((row) => row?.state === 'delivered')),
  );
};
