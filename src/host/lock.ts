/**
 * One host per data folder. The lock is a file with the holder's pid and the moment its process started, so that a
 * crashed holder is told from a living one even when its pid was given to another process (failures A21, A22).
 * Where the start time cannot be read, a heartbeat decides: older than 8 s is stale.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { codeOf } from './log.ts';
import { FILE_MODE, readIfThere } from './files.ts';

const HEARTBEAT_MS = 2_000;
const STALE_MS = 8_000;
/** How long a taker looks whether another came in with it, and how long one waits for it. */
const SETTLE_MS = 100;
/** A taker is done, or dead, long before. */
const ATTEMPTS = 20;

const holderSchema = z.object({
  pid: z.number().int().positive(),
  started: z.string().nullable(),
  token: z.string(),
});
type Holder = z.infer<typeof holderSchema>;

export type LockResult =
  | { readonly held: true; readonly release: () => Promise<void> }
  | { readonly held: false; readonly pid: number };

/** When the process began, in the system's own words; null where that cannot be told. */
const startOf = async (pid: number): Promise<string | null> => {
  try {
    if (process.platform === 'linux') {
      const [line, boot] = await Promise.all([
        readFile(`/proc/${pid}/stat`, 'utf8'),
        readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      ]);
      // The name in parentheses may hold spaces: count fields from its end. Field 22 is the start time.
      return `${boot.trim()}/${line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? ''}`;
    }
    if (process.platform === 'darwin') {
      const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]);
      return stdout.trim() || null;
    }
  } catch {
    return null;
  }
  return null;
};

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
};

/** Milliseconds since the file was touched; 0 where there is none: what is not there is not stale. */
const ageOf = async (path: string): Promise<number> => {
  try {
    return Date.now() - (await stat(path)).mtimeMs;
  } catch {
    return 0;
  }
};

const parseHolder = (text: string): Holder | null => {
  try {
    return holderSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
};

const isStale = async (path: string, holder: Holder | null): Promise<boolean> => {
  if (holder === null) return (await ageOf(path)) > STALE_MS;
  if (!alive(holder.pid)) return true;
  if (holder.started !== null) {
    const now = await startOf(holder.pid);
    if (now !== null) return now !== holder.started;
  }
  return (await ageOf(path)) > STALE_MS;
};

/** `contended`: another is just now taking a stale lock over, and may yet die of it. */
type Taken = 'ours' | 'theirs' | 'contended';

/**
 * Hangs `ours` up under the guard's name too. One whose taker died in the middle is nobody's at once, as a lock is: it is moved
 * aside and looked at there, so that what another taker has just hung up in its place is told from it.
 */
const putGuard = async (ours: string, guard: string): Promise<boolean> => {
  if (await linked(ours, guard)) return true;
  const seen = await readIfThere(guard);
  if (seen === null || !(await isStale(guard, parseHolder(seen)))) return false;
  const aside = `${ours}.aside`;
  try {
    await rename(guard, aside);
    if ((await readIfThere(aside)) === seen) return await linked(ours, guard);
    await linked(aside, guard);
    return false;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false; // another moved it first
    throw error;
  } finally {
    await rm(aside, { force: true });
  }
};

/** Puts our lock in the stale one's place. A guard file keeps two takers from replacing each other. */
const takeOver = async (
  path: string,
  ours: string,
  token: string,
  seen: string,
): Promise<Taken> => {
  const guard = `${path}.taking`;
  if (!(await putGuard(ours, guard))) return 'contended';
  try {
    if ((await readIfThere(path)) !== seen) return 'contended';
    await rename(ours, path);
    // A stale guard may have let another taker in: the last rename counts, after both are done.
    await setTimeout(SETTLE_MS);
    return parseHolder((await readIfThere(path)) ?? '')?.token === token ? 'ours' : 'theirs';
  } finally {
    await rm(guard, { force: true });
  }
};

const linked = async (from: string, to: string): Promise<boolean> => {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
};

const tryOnce = async (path: string, ours: string, token: string): Promise<Taken> => {
  if (await linked(ours, path)) return 'ours';
  const seen = await readIfThere(path);
  if (seen === null) return 'contended'; // released at this moment
  if (!(await isStale(path, parseHolder(seen)))) return 'theirs';
  return takeOver(path, ours, token, seen);
};

/** Takes the lock of `folder`, or says which process has it. A stale one is taken over at once. */
export const takeLock = async (folder: string): Promise<LockResult> => {
  const path = join(folder, 'host.lock');
  const token = randomBytes(8).toString('hex');
  const mine: Holder = { pid: process.pid, started: await startOf(process.pid), token };
  const ours = `${path}.${token}`;
  await writeFile(ours, JSON.stringify(mine), { mode: FILE_MODE });
  try {
    let taken: Taken = 'contended';
    for (let attempt = 0; attempt < ATTEMPTS && taken === 'contended'; attempt += 1) {
      if (attempt > 0) await setTimeout(SETTLE_MS);
      taken = await tryOnce(path, ours, token);
    }
    if (taken === 'ours') {
      const beat = setInterval(() => void touch(path), HEARTBEAT_MS);
      beat.unref();
      return { held: true, release: () => release(path, token, beat) };
    }
    return { held: false, pid: parseHolder((await readIfThere(path)) ?? '')?.pid ?? 0 };
  } finally {
    await rm(ours, { force: true });
  }
};

const touch = async (path: string): Promise<void> => {
  const now = new Date();
  await utimes(path, now, now).catch(() => undefined);
};

const release = async (path: string, token: string, beat: NodeJS.Timeout): Promise<void> => {
  clearInterval(beat);
  const text = await readIfThere(path);
  if (text !== null && parseHolder(text)?.token === token) await rm(path, { force: true });
};
