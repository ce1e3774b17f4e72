/**
 * Photos on their way in, from picker, drop, paste or camera: the bytes go to the host's spool as they are (fsync,
 * hashed), and time, place, orientation and a thumbnail go beside them. A file that is refused says why and the others
 * go on.
 */
import { ulid } from 'ulid';
import type { Problem, Result } from '../../contract/problem.ts';
import type { Deps, PhotoRow } from '../data/db.ts';
import { storageProblem } from '../data/near-misses.ts';
import { readMetadata } from './metadata.ts';
import { makeThumbnail } from './thumbnail.ts';

export interface IntakeTarget {
  readonly account: string;
  /** The draft the photos belong to. For a saved near miss: its edit's draft, then `addPhotos(deps, key, draft_id)`. */
  readonly draft_id: string;
}

export interface IntakeProgress {
  readonly photo_id: string;
  readonly filename: string;
  /** Bytes on their way to disk, of `size`. */
  readonly written: number;
  readonly size: number;
}

export type IntakeOutcome =
  | { readonly ok: true; readonly filename: string; readonly photo: PhotoRow }
  | { readonly ok: false; readonly filename: string; readonly problem: Problem };

/** A pasted or camera picture has no name: `photo-20260304-071500.jpg`. */
const nameOf = (file: Blob, now: number): string => {
  if (file instanceof File && file.name !== '') return file.name;
  const stamp = new Date(now).toISOString().slice(0, 19).replaceAll('-', '').replaceAll(':', '');
  const type = /^image\/(jpeg|png|webp|heic|gif)$/.exec(file.type)?.[1] ?? 'jpg';
  return `photo-${stamp.replace('T', '-')}.${type === 'jpeg' ? 'jpg' : type}`;
};

/** Takes files in, one after the other. Every file has an outcome, in the order given; none stops the others. */
export const takeIn = async (
  deps: Deps,
  target: IntakeTarget,
  files: readonly Blob[],
  onProgress?: (progress: IntakeProgress) => void,
): Promise<readonly IntakeOutcome[]> => {
  const outcomes: IntakeOutcome[] = [];
  for (const file of files) {
    const filename = nameOf(file, deps.clock.now());
    const taken = await takeOne(deps, target, file, filename, onProgress);
    outcomes.push(
      taken.ok
        ? { ok: true, filename, photo: taken.value }
        : { ok: false, filename, problem: taken.problem },
    );
  }
  return outcomes;
};

const takeOne = async (
  { db, host, clock }: Deps,
  { account, draft_id }: IntakeTarget,
  file: Blob,
  filename: string,
  onProgress?: (progress: IntakeProgress) => void,
): Promise<Result<PhotoRow>> => {
  const photo_id = ulid();
  const [facts, metadata, thumbnail] = await Promise.all([
    host.sendPhoto(file, photo_id, filename, (written, size) =>
      onProgress?.({ photo_id, filename, written, size }),
    ),
    readMetadata(file),
    makeThumbnail(file),
  ]);
  if (!facts.ok) return facts;
  const { size, sha256, content_type } = facts.value;
  const row: PhotoRow = {
    ...{ photo_id, account, draft_id, near_miss_key: null, filename: facts.value.filename },
    ...{ size, sha256, content_type, thumbnail, ...metadata },
    ...{ state: 'draft', upload_uuid: null, attachment_id: null, receipt: null, problem: null },
    created_at: clock.now(),
  };
  try {
    await db.photos.add(row);
  } catch (error) {
    await host.call('photos.discard', { photo_id });
    return { ok: false, problem: storageProblem(error) };
  }
  return { ok: true, value: row };
};
