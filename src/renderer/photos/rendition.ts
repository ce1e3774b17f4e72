/**
 * Makes renditions: a photo sent smaller or marked up instead of the camera's file. The original stays in the spool
 * under its own id and the rendition gets another. The photo's row names both, so that either can be sent and neither
 * is dropped while the queue needs it.
 */
import { decodeTime, ulid } from 'ulid';
import type { PhotoFacts } from '../../contract/host.ts';
import { fail, ok, type Result } from '../../contract/problem.ts';
import type { Deps, PhotoRow } from '../data/db/db.ts';
import { replaceQueuedPhoto } from '../data/near-misses/photo-replace.ts';
import { plainName } from '../data/model/photo-rows.ts';
import { originalBlob } from '../data/photos/photos.ts';
import { inspect } from './formats/inspect.ts';
import type { Inspection } from './formats/inspection.ts';
import { withExif } from './formats/jpeg.ts';
import { exifForRendition } from './formats/tiff.ts';
import { isHeif, pictureOfHeif } from './heif/heif-picture.ts';
import { isMarked, type Edits } from './markup/model.ts';
import { renderMarkup, type RenderOptions } from './markup/render.ts';
import { PREVIEW_PIXELS_MAX } from './limits.ts';
import { makeThumbnail, pixelsOf } from './thumbnail.ts';
import { inWorker } from './work.ts';

export interface ScaleJob {
  readonly file: Blob;
  readonly type: string;
  readonly max_side: number;
  /** Null: decode at full size. */
  readonly decode_width: number | null;
}

const worker = () =>
  new Worker(new URL('./scale-worker.ts', import.meta.url), { type: 'module', name: 'scale' });

/** Types that can be sent smaller. */
export const shrinkable: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/heic',
  'image/heif',
  'image/avif',
  'image/bmp',
]);
/** The browser cannot encode these, so they become JPEGs. */
const made_as_jpeg = new Set(['image/avif', 'image/bmp']);

/**
 * Scales a picture to at most `max_side` pixels, with the original's capture time and type; HEIC, AVIF and BMP become
 * JPEG. Null if there is no gain: small enough already, an animation, an unsupported type, or not smaller in bytes.
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
    // Decodes at most twice the target size: enough for a sharp picture, and no more memory.
    const decode_width = Math.max(pixels.width, pixels.height) > 2 * max_side ? 2 * max_side : null;
    const drawn = isHeif(type)
      ? await pictureOfHeif(file, max_side, 'image/jpeg')
      : await inWorker<ScaleJob>(worker, {
          file,
          type: made_as_jpeg.has(type) ? 'image/jpeg' : type,
          max_side,
          decode_width,
        });
    if (drawn === null) return null;
    const block = exif === null ? null : exifForRendition(exif);
    const made = block !== null && drawn.type === 'image/jpeg' ? withExif(drawn, block) : drawn;
    return made.size < file.size ? made : null;
  } catch {
    return null;
  }
};

/** An id beside the original's, so that the photo keeps its place in sorted lists. */
const idBeside = (photo_id: string): string => ulid(decodeTime(photo_id));

interface Rendition {
  /** The rendition's facts; `original` names its source. */
  readonly facts: Pick<
    PhotoRow,
    'photo_id' | 'filename' | 'size' | 'sha256' | 'content_type' | 'original'
  >;
}

const spoolRendition = async (
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
      photo_id,
      filename,
      size,
      sha256,
      content_type,
      original: { photo_id: of, size: before, sha256: hash },
    },
  });
};

/** Appends `.jpg` to the name of a rendition that became a JPEG; `plainName` removes it. */
const nameAs = (filename: string, made: Blob): string =>
  made.type === 'image/jpeg' && /\.(png|webp|heic|heif|avif|bmp)$/i.test(filename)
    ? `${filename}.jpg`
    : filename;

/** Chooses the rendition of a new photo: a reduced one if requested and possible, otherwise the photo itself. */
export const smaller = async (
  deps: Pick<Deps, 'host'>,
  facts: PhotoFacts,
  body: Blob,
  seen: Inspection,
  max_side: number | null,
  begins: () => void = () => {},
): Promise<Result<PhotoFacts & Pick<PhotoRow, 'original'>>> => {
  if (max_side === null) return ok(facts);
  begins();
  const made = await scaleDown(body, max_side, seen);
  if (made === null) return ok(facts);
  const kept = await spoolRendition(deps, facts, made);
  return kept.ok ? ok(kept.value.facts) : kept;
};

/**
 * Replaces a photo by another in one step. For a draft, fails with `gone` if it was saved or removed meanwhile. For a
 * saved record, replaces the queued photo; fails with `conflict` if its sending has begun.
 */
export const swap = async (
  deps: Deps,
  from: PhotoRow,
  row: PhotoRow,
): Promise<Result<PhotoRow>> => {
  if (from.state !== 'draft') return replaceQueuedPhoto(deps, from.photo_id, row);
  const { db } = deps;
  return db.transaction('rw', db.photos, async () => {
    const now = await db.photos.get(from.photo_id);
    if (now?.state !== 'draft')
      return fail({
        kind: 'gone',
        status: 404,
        messages: [`no draft has the photo ${from.photo_id}`],
      });
    await db.photos.delete(from.photo_id);
    await db.photos.put(row);
    return ok(row);
  });
};

/**
 * The source of a rendition: the original. A queued photo with an original but without recorded markup is its own
 * source. A file of another laptop may lack the markup, and the original would show what a blur hid.
 */
const sourceOf = (photo: PhotoRow): PhotoRow => {
  if (photo.original === undefined) return photo;
  if (photo.state !== 'draft' && photo.edits === undefined) return photo;
  return {
    ...photo,
    ...photo.original,
    original: undefined,
    filename: plainName(photo.filename),
  };
};

export const sourceBlob = (deps: Deps, photo: PhotoRow): Promise<Result<Blob>> =>
  originalBlob(deps, sourceOf(photo));

/**
 * Makes a new rendition. `make` gets the source's bytes and returns the rendition, or null to send the source
 * unchanged. Always starts from the source (see `sourceOf`). A photo with `edits` never falls back to its
 * source, nor to the source's thumbnail.
 * @param edits the markup, stored beside the original
 * @returns the photo's new row, with another `photo_id`
 */
export const makeRendition = async (
  deps: Deps,
  photo: PhotoRow,
  make: (original: Blob) => Promise<Result<Blob | null>>,
  edits?: Edits,
): Promise<Result<PhotoRow>> => {
  const source = sourceOf(photo);
  const again = source !== photo;
  const original = await originalBlob(deps, source);
  if (!original.ok) return original;
  const made = await make(original.value);
  if (!made.ok) return made;
  const { edits: _before, original: _original, ...plain } = source;
  /** The one of the photo's two files that is not the source. */
  const idle = again ? photo.photo_id : photo.original?.photo_id;
  const discard = async (photo_id: string | undefined) => {
    if (photo_id !== undefined) await deps.host.call('photos.discard', { photo_id });
  };
  if (made.value === null) {
    if (!again) return ok(photo);
    const thumbnail = await makeThumbnail(original.value);
    const content_type = (await inspect(original.value)).type ?? photo.content_type;
    const back = await swap(deps, photo, { ...plain, content_type, thumbnail });
    if (back.ok) await discard(idle);
    return back;
  }
  const kept = await spoolRendition(deps, source, made.value);
  if (!kept.ok) return kept;
  const thumbnail = await makeThumbnail(made.value);
  const row: PhotoRow = {
    ...plain,
    ...kept.value.facts,
    ...(edits === undefined ? { thumbnail: thumbnail ?? photo.thumbnail } : { thumbnail, edits }),
  };
  const put = await swap(deps, photo, row);
  await discard(put.ok ? idle : row.photo_id);
  return put;
};

/** Draws markup into the rendition. Without marks the plain photo is sent again. */
export const markUp = (
  deps: Deps,
  photo: PhotoRow,
  edits: Edits,
  how: RenderOptions,
): Promise<Result<PhotoRow>> => {
  const { max_side } = edits;
  if (!isMarked(edits))
    return makeRendition(deps, photo, async (original) =>
      ok(max_side === null ? null : await scaleDown(original, max_side)),
    );
  return makeRendition(deps, photo, (original) => renderMarkup(original, edits, how), edits);
};
