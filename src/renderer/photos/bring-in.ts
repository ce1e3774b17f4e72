/**
 * Brings files of this laptop into the host's spool: photos of a near miss and files of time-and-material entries. The
 * type is determined by content, personal metadata is removed (setting), and the bytes are spooled (fsync, hashed) and
 * named by a row at once. A refused file has a reason, and the others go on.
 *
 * The preview comes last and nothing waits for it. A HEIC takes seconds to decode, and a photo without a row is lost
 * when the window closes (failures A65).
 */
import { monotonicFactory } from 'ulid';
import type { PhotoFacts } from '../../contract/host.ts';
import type { Problem, Result } from '../../contract/problem.ts';
import type { Deps, PhotoRow } from '../data/db/db.ts';
import { storageProblem } from '../data/db/storage-problem.ts';
import { inspect } from './formats/inspect.ts';
import type { Inspection, UnsafeReason } from './formats/inspection.ts';
import { previewOf } from './previews.ts';
import { smaller } from './rendition.ts';
import { makeThumbnail } from './thumbnail.ts';

export interface IntakeOptions {
  /** Remove what a file says about people, places and devices. */
  readonly privacy: boolean;
  /** Longer side of the rendition, in pixels; null keeps the original size. */
  readonly max_side: number | null;
  /** The signal of each file: aborting stops its intake and leaves nothing behind. */
  readonly signal?: ((photo_id: string) => AbortSignal) | undefined;
  /** Ids of the files in spool and database, in the given order; omitted: new ids. */
  readonly ids?: readonly string[] | undefined;
}

export interface IntakeProgress {
  readonly photo_id: string;
  readonly filename: string;
  /** Bytes written to disk, of `size`. */
  readonly written: number;
  readonly size: number;
  /** `done`: its outcome is known. */
  readonly step: 'waiting' | 'writing' | 'scaling' | 'done';
}

/** Why a file did not become a photo. */
export type IntakeRefusal =
  | { readonly kind: 'problem'; readonly problem: Problem }
  /** The record has these bytes already. */
  | { readonly kind: 'duplicate' }
  /** The picture declares more pixels than any camera makes, so it is not decoded. */
  | { readonly kind: 'too_many_pixels'; readonly width: number; readonly height: number }
  /** Personal data cannot be removed safely: the person decides. */
  | { readonly kind: 'ask'; readonly reason: UnsafeReason; readonly file: Blob }
  | { readonly kind: 'cancelled' };

export type Outcome<T> =
  | { readonly ok: true; readonly filename: string; readonly kept: T }
  | { readonly ok: false; readonly filename: string; readonly refusal: IntakeRefusal };

/** The facts of the rendition that is sent; `original` is set if the rendition is reduced. */
export type Sent = PhotoFacts & Pick<PhotoRow, 'original'>;

/** A spooled file, before a row names it. */
export interface Brought {
  /** The file as spooled. */
  readonly whole: PhotoFacts;
  /** Makes the rendition to send, once. A reduced one is spooled beside the original. */
  readonly scaled: () => Promise<Result<Sent>>;
  readonly seen: Inspection;
  readonly signal: AbortSignal | undefined;
  /** True if personal data was removed. */
  readonly cleaned: boolean;
}

export interface Bringing<T> extends IntakeOptions {
  /** `attachment`: any type and any size. */
  readonly purpose: 'photo' | 'attachment';
  readonly onProgress?: ((progress: IntakeProgress) => void) | undefined;
  /** Gives the name in the spool; omitted: the file's name. Called in the given order. */
  readonly nameAs?: ((filename: string) => string) | undefined;
  /** Writes the row that names the file. Null: these bytes exist already. */
  readonly keep: (brought: Brought) => Promise<Result<T | null>>;
  /** Adds the preview to the row that `keep` wrote. */
  readonly show: (kept: T, preview: Blob) => Promise<unknown>;
}

/** A larger picture is a decompression bomb or useless here (failures S10). Phones make up to 200 million pixels. */
const PIXELS_MAX = 220_000_000;

/** Files processed at once: one is hashed and fsynced while another is decoded. */
const LANES = 2;

/** File ids, each larger than the previous one, because lists are sorted by them. */
export const newFileId = monotonicFactory();

/** A pasted or camera picture has no name: `photo-20260304-071500.jpg`. */
export const nameOf = (file: Blob, now: number): string => {
  if (file instanceof File && file.name !== '') return file.name;
  const stamp = new Date(now).toISOString().slice(0, 19).replaceAll('-', '').replaceAll(':', '');
  const type = /^image\/(jpeg|png|webp|heic|avif|bmp|gif)$/.exec(file.type)?.[1] ?? 'jpg';
  return `photo-${stamp.replace('T', '-')}.${type === 'jpeg' ? 'jpg' : type}`;
};

interface Incoming {
  readonly file: Blob;
  readonly filename: string;
  /** The name in the spool. */
  readonly kept_as: string;
  readonly photo_id: string;
}

/** Brings files in. Every file has an outcome, in the given order; no file stops the others. */
export const bringIn = async <T>(
  deps: Pick<Deps, 'host' | 'clock'>,
  files: readonly Blob[],
  how: Bringing<T>,
): Promise<readonly Outcome<T>[]> => {
  // Ids are assigned first, in the given order, because lists are sorted by them.
  const queue = files.map((file, at): Incoming => {
    const filename = nameOf(file, deps.clock.now());
    const photo_id = how.ids?.[at] ?? newFileId();
    return { file, filename, kept_as: how.nameAs?.(filename) ?? filename, photo_id };
  });
  const say = (one: Incoming, written: number, step: IntakeProgress['step']) =>
    how.onProgress?.({
      photo_id: one.photo_id,
      filename: one.filename,
      written,
      size: one.file.size,
      step,
    });
  for (const one of queue) say(one, 0, 'waiting');
  const outcomes: Outcome<T>[] = [];
  const ended = queue.map(() => Promise.withResolvers<void>());
  /**
   * Waits for earlier files with possibly the same bytes, so that the first one given is kept. Attachments are queued
   * in the given order.
   */
  const turnOf = async (at: number, { file }: Incoming): Promise<void> => {
    const before = queue.slice(0, at);
    await Promise.all(
      before.map(
        (other, index) =>
          (how.purpose === 'attachment' || other.file.size === file.size) && ended[index]?.promise,
      ),
    );
  };
  let next = 0;
  const lane = async () => {
    for (let at = next++; at < queue.length; at = next++) {
      const one = queue[at];
      if (one === undefined) return;
      const { filename } = one;
      outcomes[at] = await bringOne(deps, one, how, {
        say: (written, step) => say(one, written, step),
        turn: () => turnOf(at, one),
      }).catch((error: unknown): Outcome<T> => {
        const refusal = { kind: 'problem', problem: storageProblem(error) } as const;
        return { ok: false, filename, refusal };
      });
      ended[at]?.resolve();
      say(one, one.file.size, 'done');
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return outcomes;
};

/** What to spool: the file, the file without personal data, or a reason to refuse it. */
const bodyOf = (
  file: Blob,
  seen: Inspection,
  { privacy, purpose }: Pick<Bringing<unknown>, 'privacy' | 'purpose'>,
): Blob | IntakeRefusal => {
  // A picture of unknown size is kept unchanged and never decoded.
  const { pixels } = seen;
  if (purpose === 'photo' && pixels !== null && pixels.width * pixels.height > PIXELS_MAX)
    return { kind: 'too_many_pixels', ...pixels };
  // The host refuses an unknown type, with the reason.
  if (!privacy || seen.type === null || seen.stripped.kind === 'clean') return file;
  if (seen.stripped.kind === 'unsafe') return { kind: 'ask', reason: seen.stripped.reason, file };
  return seen.stripped.blob;
};

/** Reports progress, and waits for earlier files. */
interface Way {
  readonly say: (written: number, step: IntakeProgress['step']) => void;
  readonly turn: () => Promise<void>;
}

const bringOne = async <T>(
  deps: Pick<Deps, 'host'>,
  { file, filename, kept_as, photo_id }: Incoming,
  how: Bringing<T>,
  { say, turn }: Way,
): Promise<Outcome<T>> => {
  const refuse = (refusal: IntakeRefusal): Outcome<T> => ({ ok: false, filename, refusal });
  const signal = how.signal?.(photo_id);
  if (signal?.aborted) return refuse({ kind: 'cancelled' });
  const seen = await inspect(file);
  const body = bodyOf(file, seen, how);
  if (!(body instanceof Blob)) return refuse(body);
  const written = (bytes: number): void => say(bytes, 'writing');
  const whole = await deps.host.sendPhoto(body, photo_id, kept_as, written, signal, how.purpose);
  if (!whole.ok) return refuse(refusalOf(whole.problem));
  let making: Promise<Result<Sent>> | undefined;
  const scaled = () =>
    (making ??= smaller(deps, whole.value, body, seen, how.max_side, () =>
      say(file.size, 'scaling'),
    ));
  const drop = async (refusal: IntakeRefusal) => {
    const made = await making;
    // Files that the journal names already stay (host: `photos.discard`).
    for (const one of new Set([photo_id, ...(made?.ok ? [made.value.photo_id] : [])]))
      await deps.host.call('photos.discard', { photo_id: one });
    return refuse(refusal);
  };
  await turn();
  if (signal?.aborted) return drop({ kind: 'cancelled' });
  const ended = Promise.withResolvers<T | null>();
  void previewOf(photo_id, async () => {
    const named = await ended.promise;
    if (named === null) return null;
    // Made from the rendition, so that people see here what the server gets.
    const made = await makeThumbnail(body, seen);
    if (made !== null) await how.show(named, made);
    return made ?? 'none';
  });
  try {
    const kept = await how.keep({
      whole: whole.value,
      scaled,
      seen,
      signal,
      cleaned: body !== file,
    });
    if (!kept.ok) return await drop(refusalOf(kept.problem));
    if (kept.value === null) return await drop({ kind: 'duplicate' });
    ended.resolve(kept.value);
    return { ok: true, filename, kept: kept.value };
  } finally {
    ended.resolve(null);
  }
};

const refusalOf = (problem: Problem): IntakeRefusal =>
  problem.kind === 'cancelled' ? { kind: 'cancelled' } : { kind: 'problem', problem };
