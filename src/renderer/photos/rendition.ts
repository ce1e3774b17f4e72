/**
 * A photo that is sent as something else than the camera's file: smaller, or marked up. The original stays in the spool under its
 * own id, the rendition has another, and the photo's row names both, so that either can be sent and neither is dropped while
 * the queue needs it.
 */
import { decodeTime, ulid } from 'ulid';
import { fail, ok, type Result } from '../../contract/problem.ts';
import type { Deps, PhotoRow } from '../data/db.ts';
import { originalBlob } from '../data/photos.ts';
import { inspect } from './formats/inspect.ts';
import type { Inspection } from './formats/inspection.ts';
import { withExif } from './formats/jpeg.ts';
import { exifForRendition } from './formats/tiff.ts';
import { isHeif, pictureOfHeif } from './heif.ts';
import type { Edits } from './markup/model.ts';
import { makeThumbnail, pixelsOf, PREVIEW_PIXELS_MAX } from './thumbnail.ts';
import { inWorker } from './work.ts';

export interface ScaleJob {
  readonly file: Blob;
  readonly type: string;
  readonly max_side: number;
  /** Null: decoded as large as it is. */
  readonly decode_width: number | null;
}

const worker = () =>
  new Worker(new URL('./scale-worker.ts', import.meta.url), { type: 'module', name: 'scale' });

/** Types that are sent smaller where that is wished. */
export const shrinkable: ReadonlySet<string> = new Set([
  ...['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif'],
]);

/**
 * A picture of at most `max_side` pixels a side with the original's capture time, of the same type; of a HEIC a JPEG. Null where
 * there is nothing to win: not larger than that, an animation, of a type that is sent as it is, or no smaller in bytes.
 */
export const scaleDown = async (
  file: Blob,
  max_side: number,
  seen?: Inspection,
): Promise<Blob | null> => {
  const facts = seen ?? (await inspect(file));
  const { type, pixels, animated, exif } = facts;
  if (type === null || pixels === null || animated || pixelsOf(facts) > PREVIEW_PIXELS_MAX)
    return null;
  if (!shrinkable.has(type)) return null;
  if (Math.max(pixels.width, pixels.height) <= max_side) return null;
  try {
    // At most twice the target is decoded: what a sharp picture needs, and no more memory than that.
    const decode_width = Math.max(pixels.width, pixels.height) > 2 * max_side ? 2 * max_side : null;
    const drawn = isHeif(type)
      ? await pictureOfHeif(file, max_side, 'image/jpeg')
      : await inWorker<ScaleJob>(worker, { file, type, max_side, decode_width });
    if (drawn === null) return null;
    const block = exif === null ? null : exifForRendition(exif);
    const made = block !== null && drawn.type === 'image/jpeg' ? withExif(drawn, block) : drawn;
    return made.size < file.size ? made : null;
  } catch {
    return null;
  }
};

/** An id beside the original's, so that the photo keeps its place in every list. */
const idBeside = (photo_id: string): string => ulid(decodeTime(photo_id));

export interface Rendition {
  /** The rendition's facts, with `original` naming what it was made from. */
  readonly facts: Pick<
    PhotoRow,
    'photo_id' | 'filename' | 'size' | 'sha256' | 'content_type' | 'original'
  >;
}

/** Puts a rendition beside its original into the spool. */
export const spoolRendition = async (
  { host }: Pick<Deps, 'host'>,
  original: Pick<PhotoRow, 'photo_id' | 'filename' | 'size' | 'sha256'>,
  rendition: Blob,
): Promise<Result<Rendition>> => {
  const photo_id = idBeside(original.photo_id);
  const name = nameAs(original.filename, rendition);
  const sent = await host.sendPhoto(rendition, photo_id, name);
  if (!sent.ok) return sent;
  const { filename, size, sha256, content_type } = sent.value;
  const { photo_id: of, size: before, sha256: hash } = original;
  return ok({
    facts: {
      ...{ photo_id, filename, size, sha256, content_type },
      original: { photo_id: of, size: before, sha256: hash },
    },
  });
};

/** Swaps a draft's photo for another in one step; `no such draft` where it was saved or removed meanwhile. */
const swap = async ({ db }: Deps, from: string, row: PhotoRow): Promise<Result<PhotoRow>> =>
  db.transaction('rw', db.photos, async () => {
    const now = await db.photos.get(from);
    if (now?.state !== 'draft')
      return fail({ kind: 'gone', status: 404, messages: [`no draft has the photo ${from}`] });
    await db.photos.delete(from);
    await db.photos.put(row);
    return ok(row);
  });

/** A rendition that became a JPEG says so in its name; the original's name comes back by taking that off again. */
const nameAs = (filename: string, made: Blob): string =>
  made.type === 'image/jpeg' && /\.(png|webp|heic|heif)$/i.test(filename)
    ? `${filename}.jpg`
    : filename;
const plainName = (filename: string): string =>
  filename.replace(/(\.(?:png|webp|heic|heif))\.jpg$/i, '$1');

/**
 * Makes what is sent of a draft's photo anew from its original: `make` gets the original's bytes and answers the rendition, or
 * null to send the original as it is. Markup and sizes are made this way, always from the original and never from an earlier
 * rendition. Answers the photo's new row; its `photo_id` is another. `edits` is what was drawn, kept beside the original: a
 * photo that has them never falls back to what it was made from, not to its thumbnail either.
 */
export const makeRendition = async (
  deps: Deps,
  { edits: _before, ...photo }: PhotoRow,
  make: (original: Blob) => Promise<Result<Blob | null>>,
  edits?: Edits,
): Promise<Result<PhotoRow>> => {
  const source = photo.original
    ? {
        ...{ ...photo, ...photo.original, original: undefined },
        filename: plainName(photo.filename),
      }
    : photo;
  const original = await originalBlob(deps, source);
  if (!original.ok) return original;
  const made = await make(original.value);
  if (!made.ok) return made;
  const before = photo.original === undefined ? null : photo.photo_id;
  if (made.value === null) {
    if (before === null) return ok(photo);
    const { original: _none, ...plain } = source;
    const thumbnail = await makeThumbnail(original.value);
    const content_type = (await inspect(original.value)).type ?? photo.content_type;
    const back = await swap(deps, photo.photo_id, { ...plain, content_type, thumbnail });
    if (back.ok) await deps.host.call('photos.discard', { photo_id: before });
    return back;
  }
  const kept = await spoolRendition(deps, source, made.value);
  if (!kept.ok) return kept;
  const thumbnail = await makeThumbnail(made.value);
  const row: PhotoRow = {
    ...photo,
    ...kept.value.facts,
    ...(edits === undefined ? { thumbnail: thumbnail ?? photo.thumbnail } : { thumbnail, edits }),
  };
  const put = await swap(deps, photo.photo_id, row);
  const idle = put.ok ? before : row.photo_id;
  if (idle !== null) await deps.host.call('photos.discard', { photo_id: idle });
  return put;
};
