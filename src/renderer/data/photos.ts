/** Photos as the screens see them: those of this laptop, and those only the server has. */
import type { HostInput } from '../../contract/host.ts';
import type { NearMissAttachment } from '../../contract/rest/attachments.ts';
import type { Result } from '../../contract/problem.ts';
import { knownOf, removalsIn, removes } from '../entries/photo-removals.ts';
import type { CustomFieldDefinition } from '../../contract/rest/catalog.ts';
import { getCatalog } from './catalog.ts';
import { captionsField, readNotes, type PhotoNote } from './photo-notes.ts';
import { showable } from '../photos/shown.ts';
import { makeThumbnail } from '../photos/thumbnail.ts';
import { asAdded } from './photo-rows.ts';
import { discardBytes } from './discard-bytes.ts';
import type { Deps, NearMissRow, PhotoRow } from './db.ts';

/** One photo of a near miss: known here (`local`), on the server (`remote`), or both. */
export interface PhotoView {
  /** Stable for keyed lists. */
  readonly id: string;
  readonly local: PhotoRow | null;
  readonly remote: NearMissAttachment | null;
  /** What is said of it; left out: nothing. */
  readonly note?: PhotoNote | undefined;
}

export const filenameOf = ({ local, remote }: Pick<PhotoView, 'local' | 'remote'>): string =>
  local?.filename ?? remote?.filename ?? '';

/** The same photos in the order that is said, each with what is said of it. @param field of captions */
export const withNotes = (
  { fields }: Pick<NearMissRow, 'fields'>,
  photos: readonly PhotoView[],
  field: CustomFieldDefinition | undefined,
): PhotoView[] => {
  const text = field ? fields.custom_fields[`custom_field_${field.id}`] : null;
  if (typeof text !== 'string' || text === '') return [...photos];
  const named = photos.map((photo) => ({ id: photo.id, filename: filenameOf(photo) }));
  const views = new Map(photos.map((photo) => [photo.id, photo]));
  return readNotes(text, named).flatMap(({ id, note }) => {
    const photo = views.get(id);
    return photo === undefined ? [] : [{ ...photo, note }];
  });
};

/** liveQuery: as `photosOf`, in the order that is said, with what is said of each. */
export const shownPhotosOf = async (
  deps: Pick<Deps, 'db'>,
  row: NearMissRow,
): Promise<PhotoView[]> => {
  const photos = await photosOf(deps, row);
  if (photos.length === 0) return photos;
  const catalog = await getCatalog(deps, row.account, row.project_id);
  return withNotes(row, photos, captionsField(catalog?.catalog.custom_field_definitions ?? []));
};

/** liveQuery: every photo of a near miss but those being taken off, those of this laptop first, none twice. */
export const photosOf = async (
  { db }: Pick<Deps, 'db'>,
  row: Pick<NearMissRow, 'key' | 'server'>,
): Promise<PhotoView[]> => {
  const lane = await db.entries.where('lane').equals(row.key).toArray();
  const here = await db.photos.where('near_miss_key').equals(row.key).toArray();
  return mergePhotos(row, here, lane);
};

/** Pure: the photos of a record from what is here, what the server has and what waits. */
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

/** Takes a photo out of a draft, here and in the spool. */
export const removeDraftPhoto = async (deps: Deps, photo_id: string): Promise<void> => {
  const row = await deps.db.photos.get(photo_id);
  const gone = await deps.db.photos
    .where({ photo_id })
    .and((row) => row.state === 'draft')
    .delete();
  if (gone > 0 && row !== undefined) await discardBytes(deps, row);
};

/** A video or a file of another kind: not fetched ahead of being looked at. */
export const isHeavy = ({ local, remote }: Pick<PhotoView, 'local' | 'remote'>): boolean =>
  !(local?.content_type ?? remote?.content_type ?? 'image/').startsWith('image/');

/** How a file comes: how far it is, and what stops it. */
export interface Fetching {
  /** Bytes, of all. */
  readonly progress?: ((read: number, size: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A file of the server in one Blob, part by part: the browser keeps what is large on disk. */
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
    // Another length than before: another file by now.
    if (output.size !== size)
      return { ok: false, problem: { kind: 'gone', status: 404, messages: [] } };
    parts.push(new Blob([bytes]));
    offset += bytes.length;
    progress?.(offset, size);
  }
  return { ok: true, value: new Blob(parts, { type }) };
};

/** Photos of which this window could make no small picture. */
const pictureless = new Set<string>();

/**
 * After a rebuild the small picture is made again, from the original in the spool. Null where there is none to be had: that
 * is found out once, for the whole original, perhaps gigabytes of a video, is read for it.
 */
export const thumbnailAgain = async (
  deps: Pick<Deps, 'host'>,
  photo: Pick<PhotoRow, 'photo_id' | 'size' | 'content_type'>,
): Promise<Blob | null> => {
  if (pictureless.has(photo.photo_id)) return null;
  const original = await originalBlob(deps, photo);
  const made = original.ok ? await makeThumbnail(original.value) : null;
  if (original.ok && made === null) pictureless.add(photo.photo_id);
  return made;
};

/** The picture of a photo for showing: `thumbnail` at most 512 px, `full` as large as it is; a video or another file as it is. */
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
    const { photo_id } = photo.local;
    const made = await thumbnailAgain(deps, photo.local);
    if (made !== null) {
      await deps.db.photos.update(photo_id, { thumbnail: made });
      return { ok: true, value: made };
    }
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

/** The original's bytes from the spool, 4 MiB a call. */
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

/** The original from the spool, as one Blob. */
export const originalBlob = async (
  deps: Pick<Deps, 'host'>,
  photo: Pick<PhotoRow, 'photo_id' | 'size' | 'content_type'>,
): Promise<Result<Blob>> => {
  const parts: Blob[] = [];
  for await (const part of originalChunks(deps, photo)) {
    if (!part.ok) return part;
    // A Blob each: the browser keeps what is large on disk, not here.
    parts.push(new Blob([part.value]));
  }
  return { ok: true, value: new Blob(parts, { type: photo.content_type }) };
};

/** Which of these photos and files the server has, checked; one that left the queue otherwise was left out. */
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
