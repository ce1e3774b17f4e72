/**
 * Stages the files of an import in the spool before any row names them. Their ids are recorded before the first byte,
 * and the transaction that commits the import removes the record. After a failure or a crash, the recorded files are
 * dropped at once or at the next start.
 */
import { CHUNK_MAX } from '../../../contract/host.ts';
import { fail, ok, type Problem, type Result } from '../../../contract/problem.ts';
import type { Deps, SpotterDb } from '../../data/db/db.ts';
import { RefusedFile } from './refused-file.ts';
import type { PlannedFile } from './import-plan.ts';
import type { ExportFile } from './import-reader.ts';

/** The record's name in `meta`: a list of photo ids. */
const STAGED = 'staged_import';

/** Runs `work` as the only import of all windows. */
export const importAlone = <T>({ db }: Pick<Deps, 'db'>, work: () => Promise<T>): Promise<T> =>
  navigator.locks.request(`spotter-import-${db.name}`, work) as Promise<T>;

const notedIn = async (db: SpotterDb): Promise<readonly string[]> => {
  const noted: unknown = (await db.meta.get(STAGED))?.value;
  return Array.isArray(noted) ? (noted as unknown[]).map(String) : [];
};

const note = async (db: SpotterDb, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) await db.meta.delete(STAGED);
  else await db.meta.put({ name: STAGED, value: ids });
};

/** Removes the files from the record, inside the committing transaction. Files of an earlier import stay recorded. */
export const unstage = async (db: SpotterDb, files: readonly PlannedFile[]): Promise<void> => {
  const taken = new Set(files.map(({ photo_id }) => photo_id));
  await note(
    db,
    (await notedIn(db)).filter((photo_id) => !taken.has(photo_id)),
  );
};

/** Records the files before their first byte, or after an import was undone. */
export const noteStaged = (db: SpotterDb, files: readonly PlannedFile[]): Promise<void> =>
  db.transaction('rw', db.meta, async () =>
    note(db, [...new Set([...(await notedIn(db)), ...files.map(({ photo_id }) => photo_id)])]),
  );

/**
 * Drops the staged files of an uncommitted import from the spool. `for_good`: also clears the record, because the
 * journal names none of them any more.
 */
export const dropStaged = async (
  { db, host }: Pick<Deps, 'db' | 'host'>,
  for_good: boolean,
): Promise<void> => {
  for (const photo_id of await notedIn(db)) {
    const gone = await host.call('photos.discard', { photo_id });
    // The next start retries.
    if (!gone.ok) return;
  }
  if (for_good) await db.meta.delete(STAGED);
};

/** Runs at a start, unless another window is importing. */
export const dropForgotten = async (deps: Pick<Deps, 'db' | 'host'>): Promise<void> => {
  await navigator.locks.request(
    `spotter-import-${deps.db.name}`,
    { ifAvailable: true },
    async (lock) => {
      // The start has reported every end to the journal before this.
      if (lock !== null) await dropStaged(deps, true);
    },
  );
};

/** Copies one file to the spool and compares its sha256 with the exported one. @throws RefusedFile */
const take = async (
  { host }: Pick<Deps, 'host'>,
  file: ExportFile,
  planned: PlannedFile,
): Promise<Result<null>> => {
  const { photo_id, filename, size, sha256, path, any } = planned;
  const begun = await host.call('photos.begin', {
    photo_id,
    filename,
    size,
    ...(any ? { purpose: 'attachment' as const } : {}),
  });
  if (!begun.ok) return begun;
  let offset = 0;
  let trouble: Problem | null = null;
  const write = async (bytes: Uint8Array<ArrayBuffer>): Promise<void> => {
    const written = await host.call('photos.write', { photo_id, offset }, bytes);
    offset += bytes.length;
    if (written.ok) return;
    trouble = written.problem;
    throw new Error('not written');
  };
  try {
    await file.photo({ path, size }, async (chunk) => {
      for (let at = 0; at < chunk.length; at += CHUNK_MAX)
        await write(chunk.slice(at, at + CHUNK_MAX));
    });
  } catch (error) {
    if (trouble !== null) return fail(trouble);
    throw error;
  }
  const facts = await host.call('photos.finish', { photo_id });
  if (!facts.ok) return facts;
  if (facts.value.sha256 !== sha256 || facts.value.size !== size)
    throw new RefusedFile('damaged', path);
  return ok(null);
};

/** Stages all files in the spool, recorded so that a failed import leaves none. @throws RefusedFile */
export const stage = async (
  deps: Pick<Deps, 'db' | 'host'>,
  file: ExportFile,
  files: readonly PlannedFile[],
  onFile: (done: number, of: number) => void,
): Promise<Result<null>> => {
  await noteStaged(deps.db, files);
  for (const [done, planned] of files.entries()) {
    onFile(done, files.length);
    const came = await take(deps, file, planned);
    if (!came.ok) return came;
  }
  return ok(null);
};
