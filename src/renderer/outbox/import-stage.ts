/**
 * The files of an import on their way to the spool, before anything here names them. Which ones is noted before the first byte
 * comes, and the note goes in the transaction that takes the import in: what a failure or a crash left is dropped then, or at
 * the next start.
 */
import { CHUNK_MAX } from '../../contract/host.ts';
import { fail, ok, type Problem, type Result } from '../../contract/problem.ts';
import type { Deps, SpotterDb } from '../data/db.ts';
import { RefusedFile } from './refused-file.ts';
import type { PlannedFile } from './import-plan.ts';
import type { ExportFile } from './import-reader.ts';

/** The note's name in `meta`: ids of photos. */
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

/** Inside the transaction that takes the import in. What an earlier import left stays noted. */
export const unstage = async (db: SpotterDb, files: readonly PlannedFile[]): Promise<void> => {
  const taken = new Set(files.map(({ photo_id }) => photo_id));
  await note(
    db,
    (await notedIn(db)).filter((photo_id) => !taken.has(photo_id)),
  );
};

/** Notes them before the first byte comes, or after an import was taken back. */
export const noteStaged = (db: SpotterDb, files: readonly PlannedFile[]): Promise<void> =>
  db.transaction('rw', db.meta, async () =>
    note(db, [...new Set([...(await notedIn(db)), ...files.map(({ photo_id }) => photo_id)])]),
  );

/** Drops what an import that was not taken in left in the spool. `for_good`: the journal names none of it any more. */
export const dropStaged = async (
  { db, host }: Pick<Deps, 'db' | 'host'>,
  for_good: boolean,
): Promise<void> => {
  for (const photo_id of await notedIn(db)) {
    const gone = await host.call('photos.discard', { photo_id });
    // Asked again at the next start.
    if (!gone.ok) return;
  }
  if (for_good) await db.meta.delete(STAGED);
};

/** At a start: unless another window imports just now. */
export const dropForgotten = async (deps: Pick<Deps, 'db' | 'host'>): Promise<void> => {
  await navigator.locks.request(
    `spotter-import-${deps.db.name}`,
    { ifAvailable: true },
    async (lock) => {
      // The journal was told of every end before this.
      if (lock !== null) await dropStaged(deps, true);
    },
  );
};

/** One file to the spool, checked against the sha256 it was exported with. @throws RefusedFile */
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

/** All of them, or none stays. @throws RefusedFile */
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
