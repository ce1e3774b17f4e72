/**
 * A photo that is sent as something else than the camera's file: smaller, or marked up. The original stays in the spool under its
 * own id, the rendition has another, and the photo's row names both, so that either can be sent and neither is dropped while
 * the queue needs it.
 */
import { decodeTime, ulid } from 'ulid';
import type { PhotoFacts } from '../../contract/host.ts';
import { fail, ok, type Result } from '../../contract/problem.ts';
import type { Deps, PhotoRow } from '../data/db.ts';
import { replaceQueuedPhoto } from '../data/photo-replace.ts';
import { plainName } from '../data/photo-rows.ts';
import { originalBlob } from '../data/photos.ts';
import { inspect } from './formats/inspect.ts';
import type { Inspection } from './formats/inspection.ts';
import { withExif } from './formats/jpeg.ts';
import { exifForRendition } from './formats/tiff.ts';
import { isHeif, pictureOfHeif } from './heif-picture.ts';
import { isMarked, type Edits } from './markup/model.ts';
import { renderMarkup, type RenderOptions } from './markup/render.ts';
import { PREVIEW_PIXELS_MAX } from './limits.ts';
import { makeThumbnail, pixelsOf } from './thumbnail.ts';
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
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/heic',
  'image/heif',
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

interface Rendition {
  /** The rendition's facts, with `original` naming what it was made from. */
  readonly facts: Pick<
    PhotoRow,
    'photo_id' | 'filename' | 'size' | 'sha256' | 'content_type' | 'original'
  >;
}

/** Puts a rendition beside its original into the spool. */
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

/** A rendition that became a JPEG says so in its name; `plainName` takes that off again. */
const nameAs = (filename: string, made: Blob): string =>
  made.type === 'image/jpeg' && /\.(png|webp|heic|heif)$/i.test(filename)
    ? `${filename}.jpg`
    : filename;

/** What is sent of a photo that was just taken in: a smaller one where that is wanted and is smaller; else the photo itself. */
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
 * Swaps a photo for another in one step. Of a draft: `gone` where it was saved or removed meanwhile. Of a saved record: what
 * waits is replaced, `conflict` where its sending has begun.
 */
const swap = async (deps: Deps, from: PhotoRow, row: PhotoRow): Promise<Result<PhotoRow>> => {
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
 * What a rendition is made from: the original. Of a photo that waits and names one without what was drawn on it, the rendition
 * itself: the queue may have come back from a journal that does not know of a blur, and the original would show what it hid.
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

/** The bytes that are drawn on. */
export const sourceBlob = (deps: Deps, photo: PhotoRow): Promise<Result<Blob>> =>
  originalBlob(deps, sourceOf(photo));

/**
 * Makes what is sent of a photo anew: `make` gets the source's bytes and answers the rendition, or null to send the source as
 * it is. Markup and sizes are made this way, always from the original and never from an earlier rendition. Answers the photo's
 * new row; its `photo_id` is another. `edits` is what was drawn, kept beside the original: a photo that has them never falls back to
 * what it was made from, not to its thumbnail either.
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
  /** Of the two files it had, the one that is not the source. */
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

/** Draws marks on a photo for good: from now on that is what is sent. Without marks it is the photo again. */
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
