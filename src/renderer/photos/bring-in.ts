/**
 * Files of this laptop on their way to the host's spool, whatever they become: a photo of a near miss, a file of a time-and-material entry.
 * What each is, is told by its content; what it says of people, places and devices is taken out (setting); then the bytes go to the
 * spool (fsync, hashed), a smaller rendition beside them where that is wanted. A file that is refused says why and the others go on.
 */
import { monotonicFactory } from 'ulid';
import type { PhotoFacts } from '../../contract/host.ts';
import type { Problem, Result } from '../../contract/problem.ts';
import type { Deps, PhotoRow } from '../data/db.ts';
import { storageProblem } from '../data/storage-problem.ts';
import { inspect } from './formats/inspect.ts';
import type { Inspection, UnsafeReason } from './formats/inspection.ts';
import { smaller } from './rendition.ts';
import { makeThumbnail } from './thumbnail.ts';

export interface IntakeOptions {
  /** Take out what a file says of people, places and devices. */
  readonly privacy: boolean;
  /** Pixels of the longer side of what is sent; null: as it is. */
  readonly max_side: number | null;
  /** Asked per file: stops it, and nothing of it is kept. */
  readonly signal?: ((photo_id: string) => AbortSignal) | undefined;
}

export interface IntakeProgress {
  readonly photo_id: string;
  readonly filename: string;
  /** Bytes on their way to disk, of `size`. */
  readonly written: number;
  readonly size: number;
  /** `done`: its outcome is known. */
  readonly step: 'waiting' | 'writing' | 'scaling' | 'done';
}

/** Why a file did not become a photo. */
export type IntakeRefusal =
  | { readonly kind: 'problem'; readonly problem: Problem }
  /** These bytes are on the record already. */
  | { readonly kind: 'duplicate' }
  /** The picture declares more pixels than any camera makes: nothing of it is decoded. */
  | { readonly kind: 'too_many_pixels'; readonly width: number; readonly height: number }
  /** What it says of people and places cannot be taken out safely: the person decides. */
  | { readonly kind: 'ask'; readonly reason: UnsafeReason; readonly file: Blob }
  | { readonly kind: 'cancelled' };

/** What became of a file. */
export type Outcome<T> =
  | { readonly ok: true; readonly filename: string; readonly kept: T }
  | { readonly ok: false; readonly filename: string; readonly refusal: IntakeRefusal };

/** A file whose bytes are in the spool, before anything names it. */
export interface Brought {
  /** Of what is sent; `original` where that is a smaller one. */
  readonly sent: PhotoFacts & Pick<PhotoRow, 'original'>;
  readonly seen: Inspection;
  readonly thumbnail: Blob | null;
  /** Something personal was taken out. */
  readonly cleaned: boolean;
}

export interface Bringing<T> extends IntakeOptions {
  /** `attachment`: of any kind and any size. */
  readonly purpose: 'photo' | 'attachment';
  readonly onProgress?: ((progress: IntakeProgress) => void) | undefined;
  /** What the spool calls it; left out: as it is called. Asked in the order given. */
  readonly nameAs?: ((filename: string) => string) | undefined;
  /** Writes the row that names it. Null: these bytes are there already. */
  readonly keep: (brought: Brought) => Promise<Result<T | null>>;
}

/** Above this a picture is a decompression bomb, or of no use here (failures S10). Phones make up to 200 million. */
export const PIXELS_MAX = 220_000_000;

/** Files on their way at once: hashing and fsync of one beside the decoding of another. */
const LANES = 2;

const newId = monotonicFactory();

/** A pasted or camera picture has no name: `photo-20260304-071500.jpg`. */
const nameOf = (file: Blob, now: number): string => {
  if (file instanceof File && file.name !== '') return file.name;
  const stamp = new Date(now).toISOString().slice(0, 19).replaceAll('-', '').replaceAll(':', '');
  const type = /^image\/(jpeg|png|webp|heic|gif)$/.exec(file.type)?.[1] ?? 'jpg';
  return `photo-${stamp.replace('T', '-')}.${type === 'jpeg' ? 'jpg' : type}`;
};

interface Incoming {
  readonly file: Blob;
  readonly filename: string;
  /** In the spool. */
  readonly kept_as: string;
  readonly photo_id: string;
}

/** Every file has an outcome, in the order given; none stops the others. */
export const bringIn = async <T>(
  deps: Pick<Deps, 'host' | 'clock'>,
  files: readonly Blob[],
  how: Bringing<T>,
): Promise<readonly Outcome<T>[]> => {
  // Ids first, in the order given: lists are sorted by them, whichever file is ready first.
  const queue = files.map((file): Incoming => {
    const filename = nameOf(file, deps.clock.now());
    return { file, filename, kept_as: how.nameAs?.(filename) ?? filename, photo_id: newId() };
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
  /** Of files with the same bytes the first one given is kept, whichever is ready first; attachments are queued in the order given. */
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

/** What goes to the spool: the file, the file without what is personal, or a reason to stop. */
const bodyOf = (
  file: Blob,
  seen: Inspection,
  { privacy, purpose }: Pick<Bringing<unknown>, 'privacy' | 'purpose'>,
): Blob | IntakeRefusal => {
  // Of an unknown size it is kept as it is, and never decoded.
  const { pixels } = seen;
  if (purpose === 'photo' && pixels !== null && pixels.width * pixels.height > PIXELS_MAX)
    return { kind: 'too_many_pixels', ...pixels };
  // Of no kind known here: the host refuses it, with the reason.
  if (!privacy || seen.type === null || seen.stripped.kind === 'clean') return file;
  if (seen.stripped.kind === 'unsafe') return { kind: 'ask', reason: seen.stripped.reason, file };
  return seen.stripped.blob;
};

/** How a file goes among the others: tells how far it is, waits for those that come before it. */
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
  const [facts, thumbnail] = await Promise.all([
    deps.host.sendPhoto(body, photo_id, kept_as, written, signal, how.purpose),
    makeThumbnail(file, seen),
  ]);
  if (!facts.ok)
    return refuse(
      facts.problem.kind === 'cancelled'
        ? { kind: 'cancelled' }
        : { kind: 'problem', problem: facts.problem },
    );
  const drop = async (refusal: IntakeRefusal, ...more: readonly string[]) => {
    // Named by the journal already, they stay (host: `photos.discard`).
    for (const one of [photo_id, ...more])
      await deps.host.call('photos.discard', { photo_id: one });
    return refuse(refusal);
  };
  const sent = await smaller(deps, facts.value, body, seen, how.max_side, () =>
    say(file.size, 'scaling'),
  );
  if (!sent.ok) return drop({ kind: 'problem', problem: sent.problem });
  const idle = sent.value.original === undefined ? [] : [sent.value.photo_id];
  if (signal?.aborted) return drop({ kind: 'cancelled' }, ...idle);
  await turn();
  const kept = await how.keep({ sent: sent.value, seen, thumbnail, cleaned: body !== file });
  if (!kept.ok) return drop({ kind: 'problem', problem: kept.problem }, ...idle);
  return kept.value === null
    ? drop({ kind: 'duplicate' }, ...idle)
    : { ok: true, filename, kept: kept.value };
};
