/**
 * Fetches files that only the server has, in parts, so that a large video needs no more memory than a photo. The type
 * is determined by the first bytes. Anything but a picture or video becomes octets, which a window saves and never
 * shows (failures S11).
 */
import { CHUNK_MAX } from '../../contract/host.ts';
import { fileType, HEAD_BYTES, OF_ANY_KIND } from '../../contract/file-type.ts';
import { fail, ok, type Result } from '../../contract/problem.ts';
import type { Target } from '../http/request.ts';
import type { Incoming } from '../http/http-client.ts';
import { attachmentsOf, notThere, openBytes, type Place, type ReadParts } from './verify.ts';

/** The most bytes held in memory if the server supports no ranges. */
const WHOLE_MAX_BYTES = 64 * 1024 * 1024;

export interface FetchedFile {
  readonly content_type: string;
  readonly filename: string;
  /** Bytes of the whole file. */
  readonly size: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface Wanted {
  readonly variant: 'thumbnail' | 'full';
  /** The first byte. At most CHUNK_MAX bytes follow if the server supports ranges. */
  readonly offset: number;
}

const broken = (looks_like: 'garbage' | 'wrong_shape', detail: string): Result<never> =>
  fail({ kind: 'broken_reply', status: 200, looks_like, detail });

const typeOf = (bytes: Uint8Array<ArrayBuffer>): string | null =>
  fileType(bytes.subarray(0, HEAD_BYTES));

/** Parses `bytes 0-99/1000`: the start of this part and the size of the whole. */
const placeOf = (incoming: Incoming): { readonly from: number; readonly size: number } | null => {
  const found = /^bytes (\d+)-\d+\/(\d+)$/.exec(incoming.header('content-range') ?? '');
  return found === null ? null : { from: Number(found[1]), size: Number(found[2]) };
};

type Piece = Pick<FetchedFile, 'size' | 'bytes'>;

const readPiece = async (incoming: Incoming, { offset }: Wanted): Promise<Result<Piece>> => {
  const place = incoming.status === 206 ? placeOf(incoming) : { from: 0, size: null };
  if (place?.from !== offset)
    return broken('wrong_shape', 'the server gives no parts of this file');
  const chunks: Uint8Array[] = [];
  const max = incoming.status === 206 ? CHUNK_MAX : WHOLE_MAX_BYTES;
  const read = await incoming.read(max, (chunk) => chunks.push(chunk));
  if (!read.ok) return read;
  const bytes = new Uint8Array(Buffer.concat(chunks));
  const size = place.size ?? bytes.length;
  if (bytes.length === 0 || offset + bytes.length > size)
    return broken('wrong_shape', `${bytes.length} bytes came from ${offset} on, of ${size}`);
  return ok({ size, bytes });
};

interface Found {
  readonly filename: string;
  readonly address: string | null | undefined;
  /** True if the server declares it a picture or video. */
  readonly promised: boolean;
}

/** The owner of a file: a near miss, a plan or, if neither is named, a time-and-material entry. */
export type FileOf = Pick<Place, 'project_id'> & {
  readonly near_miss_id: number | null;
  readonly plan_id?: number | undefined;
  readonly attachment_id: number;
};

const ofNearMiss = async (
  parts: ReadParts,
  target: Target,
  place: Place,
  { attachment_id, variant }: Wanted & FileOf,
): Promise<Result<Found>> => {
  const all = await attachmentsOf(parts, target, place);
  if (!all.ok) return all;
  const one = all.value.find((attachment) => attachment.id === attachment_id);
  if (!one) return notThere(404, 'the near miss has no such photo');
  const filename = one.filename ?? '';
  const promised = /^(image|video)\//.test(one.content_type ?? 'image/');
  if (variant === 'full') return ok({ filename, address: one.url, promised });
  const other = one.content_type && !one.content_type.startsWith('image/');
  if (!one.thumbnail_url && other) return notThere(404, 'the server has no picture of this file');
  return ok({ filename, address: one.thumbnail_url ?? one.url, promised });
};

const ofEntry = async (
  parts: ReadParts,
  target: Target,
  { project_id, attachment_id: id, variant }: Wanted & FileOf,
): Promise<Result<Found>> => {
  const shown = await parts.api.call(target, 'time_and_material_entry_attachments.show', {
    params: { project_id, id },
  });
  if (!shown.ok) return shown;
  const one = shown.value.data;
  const address = variant === 'thumbnail' ? one.thumbnail_url : one.url;
  if (!address) return notThere(404, 'the server has no such picture of the file');
  return ok({ filename: one.filename ?? '', address, promised: false });
};

const ofPlan = async (
  parts: ReadParts,
  target: Target,
  { project_id, attachment_id }: FileOf,
  id: number,
): Promise<Result<Found>> => {
  const shown = await parts.api.call(target, 'plans.show', { params: { project_id, id } });
  if (!shown.ok) return shown;
  const files = shown.value.data.revisions.flatMap(({ drawing, pictures }) => [
    ...pictures,
    drawing,
  ]);
  const one = files.find((file) => file.id === attachment_id);
  if (!one) return notThere(404, 'the plan has no such file');
  const promised = one.content_type.startsWith('image/');
  return ok({ filename: one.filename, address: one.url, promised });
};

const find = (parts: ReadParts, target: Target, given: Wanted & FileOf): Promise<Result<Found>> => {
  const { near_miss_id, plan_id } = given;
  if (plan_id !== undefined) return ofPlan(parts, target, given, plan_id);
  return near_miss_id === null
    ? ofEntry(parts, target, given)
    : ofNearMiss(parts, target, { ...given, near_miss_id }, given);
};

/**
 * Fetches bytes of an attachment. Thumbnails come whole. Later parts are octets, because only the first one has the
 * type.
 */
export const fetchAttachment = async (
  parts: ReadParts,
  target: Target,
  given: Wanted & FileOf,
): Promise<Result<FetchedFile>> => {
  const { offset, variant } = given;
  const found = await find(parts, target, given);
  if (!found.ok) return found;
  const { filename, address, promised } = found.value;
  const small = variant === 'thumbnail';
  const part = small ? {} : { part: { from: offset, to: offset + CHUNK_MAX } };
  const take = (incoming: Incoming) => readPiece(incoming, given);
  const got = await openBytes(parts, target, address, CHUNK_MAX, take, part);
  if (!got.ok) return got;
  if (offset > 0) return ok({ ...got.value, content_type: OF_ANY_KIND, filename });
  const type = typeOf(got.value.bytes);
  // Declared a picture but is none: the answer is not the file, but for example a portal's page.
  if (type === null && promised) return broken('garbage', 'no image');
  if (small && !type?.startsWith('image/')) return broken('garbage', 'no image');
  return ok({ ...got.value, content_type: type ?? OF_ANY_KIND, filename });
};
