/**
 * Photos and videos on their way in, from picker, drop, paste or camera. What each is, is told by its content; what it
 * says of time and place is read and offered; what it says of people, places and devices is taken out (setting); then the
 * bytes go to the host's spool (fsync, hashed), a smaller rendition beside them where that is wanted. A file that is refused
 * says why and the others go on.
 */
import { monotonicFactory } from 'ulid';
import { nameKey } from '../../contract/file-name.ts';
import { fail, ok, type Problem, type Result } from '../../contract/problem.ts';
import type { Deps, PhotoRow } from '../data/db.ts';
import { inspect } from './formats/inspect.ts';
import type { Inspection, UnsafeReason } from './formats/inspection.ts';
import { readMetadata } from './metadata.ts';
import { smaller } from './rendition.ts';
import { storageProblem } from '../data/storage-problem.ts';
import { makeThumbnail } from './thumbnail.ts';

export interface IntakeTarget {
  readonly account: string;
  /** The draft the photos belong to. For a saved near miss: its edit's draft, then `addPhotos(deps, key, draft_id)`. */
  readonly draft_id: string;
  /** The saved near miss that is edited: its photos count as there already. */
  readonly near_miss_key?: string | undefined;
  /** sha256 of photos that only the server has. */
  readonly known?: readonly string[] | undefined;
  /** Names of photos that only the server has. */
  readonly names?: readonly string[] | undefined;
}

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
  /** It declares more pixels than any camera makes: nothing of it is decoded. */
  | { readonly kind: 'too_many_pixels'; readonly width: number; readonly height: number }
  /** What it says of people and places cannot be taken out safely: the person decides. */
  | { readonly kind: 'ask'; readonly reason: UnsafeReason; readonly file: Blob }
  | { readonly kind: 'cancelled' };

export type IntakeOutcome =
  | { readonly ok: true; readonly filename: string; readonly photo: PhotoRow }
  | { readonly ok: false; readonly filename: string; readonly refusal: IntakeRefusal };

/** Above this a picture is a decompression bomb, or of no use here (failures S10). Phones make up to 200 million. */
export const PIXELS_MAX = 220_000_000;

/** Files on their way at once: hashing and fsync of one beside the decoding of another. */
const LANES = 2;

export const asTheyAre: IntakeOptions = { privacy: false, max_side: null };

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
  /** As it is kept: no two photos of a report have the same name, so that a caption names one. */
  readonly kept_as: string;
  readonly photo_id: string;
}

/** A phone calls every photo `image.jpg`: the second is `image-2.jpg`. `taken` learns it. */
const freeName = (filename: string, taken: Set<string>): string => {
  const dot = filename.lastIndexOf('.');
  const end = dot > 0 ? dot : filename.length;
  let name = filename;
  for (let n = 2; taken.has(nameKey(name)); n += 1)
    name = `${filename.slice(0, end)}-${n}${filename.slice(end)}`;
  taken.add(nameKey(name));
  return name;
};

const namesThere = async (
  { db }: Deps,
  { draft_id, near_miss_key, names = [] }: IntakeTarget,
): Promise<Set<string>> => {
  const rows = await db.photos.where('draft_id').equals(draft_id).toArray();
  if (near_miss_key !== undefined)
    rows.push(...(await db.photos.where('near_miss_key').equals(near_miss_key).toArray()));
  return new Set([...names, ...rows.map(({ filename }) => filename)].map(nameKey));
};

/** Takes files in. Every file has an outcome, in the order given; none stops the others. */
export const takeIn = async (
  deps: Deps,
  target: IntakeTarget,
  files: readonly Blob[],
  onProgress: (progress: IntakeProgress) => void = () => {},
  options: IntakeOptions = asTheyAre,
): Promise<readonly IntakeOutcome[]> => {
  // Ids first, in the order given: lists are sorted by them, whichever file is ready first.
  const taken = await namesThere(deps, target).catch(() => new Set<string>());
  const queue = files.map((file): Incoming => {
    const filename = nameOf(file, deps.clock.now());
    return { file, filename, kept_as: freeName(filename, taken), photo_id: newId() };
  });
  const say = (one: Incoming, written: number, step: IntakeProgress['step']) =>
    onProgress({
      photo_id: one.photo_id,
      filename: one.filename,
      written,
      size: one.file.size,
      step,
    });
  for (const one of queue) say(one, 0, 'waiting');
  const outcomes: IntakeOutcome[] = [];
  const ended = queue.map(() => Promise.withResolvers<void>());
  /** Of files with the same bytes the first one given is kept, whichever is ready first. */
  const turnOf = async (at: number, { file }: Incoming): Promise<void> => {
    const before = queue.slice(0, at);
    await Promise.all(
      before.map((other, index) => other.file.size === file.size && ended[index]?.promise),
    );
  };
  let next = 0;
  const lane = async () => {
    for (let at = next++; at < queue.length; at = next++) {
      const one = queue[at];
      if (one === undefined) return;
      const taken = await takeOne(deps, target, one, options, {
        say: (written, step) => say(one, written, step),
        turn: () => turnOf(at, one),
      }).catch((error: unknown): IntakeRefusal => ({
        kind: 'problem',
        problem: storageProblem(error),
      }));
      const { filename } = one;
      outcomes[at] =
        'photo_id' in taken
          ? { ok: true, filename, photo: taken }
          : { ok: false, filename, refusal: taken };
      ended[at]?.resolve();
      say(one, one.file.size, 'done');
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return outcomes;
};

/** What goes to the spool: the file, the file without what is personal, or a reason to stop. */
const bodyOf = (file: Blob, seen: Inspection, privacy: boolean): Blob | IntakeRefusal => {
  // Of an unknown size it is kept as it is, and never decoded.
  if (seen.pixels !== null && seen.pixels.width * seen.pixels.height > PIXELS_MAX)
    return { kind: 'too_many_pixels', ...seen.pixels };
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

const takeOne = async (
  deps: Deps,
  target: IntakeTarget,
  { file, kept_as, photo_id }: Incoming,
  options: IntakeOptions,
  { say, turn }: Way,
): Promise<PhotoRow | IntakeRefusal> => {
  const signal = options.signal?.(photo_id);
  if (signal?.aborted) return { kind: 'cancelled' };
  const seen = await inspect(file);
  const body = bodyOf(file, seen, options.privacy);
  if (!(body instanceof Blob)) return body;
  const [facts, metadata, thumbnail] = await Promise.all([
    deps.host.sendPhoto(body, photo_id, kept_as, (written) => say(written, 'writing'), signal),
    readMetadata(seen),
    makeThumbnail(file, seen),
  ]);
  if (!facts.ok)
    return facts.problem.kind === 'cancelled'
      ? { kind: 'cancelled' }
      : { kind: 'problem', problem: facts.problem };
  const drop = async (refusal: IntakeRefusal, ...more: readonly string[]) => {
    for (const one of [photo_id, ...more])
      await deps.host.call('photos.discard', { photo_id: one });
    return refusal;
  };
  const sent = await smaller(deps, facts.value, body, seen, options.max_side, () =>
    say(file.size, 'scaling'),
  );
  if (!sent.ok) return drop({ kind: 'problem', problem: sent.problem });
  const idle = sent.value.original === undefined ? [] : [sent.value.photo_id];
  if (signal?.aborted) return drop({ kind: 'cancelled' }, ...idle);
  const row: PhotoRow = {
    ...sent.value,
    account: target.account,
    draft_id: target.draft_id,
    near_miss_key: null,
    thumbnail,
    ...metadata,
    cleaned: body !== file,
    state: 'draft',
    upload_uuid: null,
    attachment_id: null,
    receipt: null,
    problem: null,
    created_at: deps.clock.now(),
  };
  await turn();
  const added = await addOnce(deps, target, row);
  if (!added.ok) return drop({ kind: 'problem', problem: added.problem }, ...idle);
  return added.value ? row : drop({ kind: 'duplicate' }, ...idle);
};

const hashes = (row: Pick<PhotoRow, 'sha256' | 'original'>): readonly string[] =>
  row.original === undefined ? [row.sha256] : [row.sha256, row.original.sha256];

/** Adds the row unless its bytes are on the record: looked for and added in one step. */
const addOnce = async (
  { db }: Deps,
  { draft_id, near_miss_key, known }: IntakeTarget,
  row: PhotoRow,
): Promise<Result<boolean>> => {
  try {
    const added = await db.transaction('rw', db.photos, async () => {
      const there = await db.photos.where('draft_id').equals(draft_id).toArray();
      if (near_miss_key !== undefined)
        there.push(...(await db.photos.where('near_miss_key').equals(near_miss_key).toArray()));
      const mine = hashes(row);
      const had = there.some((one) => hashes(one).some((hash) => mine.includes(hash)));
      if (had || mine.some((hash) => known?.includes(hash))) return false;
      await db.photos.add(row);
      return true;
    });
    return ok(added);
  } catch (error) {
    return fail(storageProblem(error));
  }
};
