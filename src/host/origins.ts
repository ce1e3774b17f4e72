/**
 * Where windows have opened on this data folder: Electron's origin, the browser shell's with its port. A browser keeps IndexedDB
 * per origin and profile, so a window at a new place begins empty and is filled from the journal. That is no damage, and is not told
 * as one.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { ok, type Result } from '../contract/problem.ts';
import { failFile, readIfThere, writeFileAtomic } from './files.ts';

/** Origins remembered, the newest last. */
const KEEP = 100;

export interface Origins {
  /** Was it seen before? From now on it was. */
  seen(origin: string): Promise<Result<{ known: boolean }>>;
}

const originsSchema = z.array(z.string());

export const openOrigins = (folder: string): Origins => {
  const path = join(folder, 'places.json');
  const read = async (): Promise<readonly string[]> => {
    try {
      return originsSchema.parse(JSON.parse((await readIfThere(path)) ?? '[]'));
    } catch {
      return []; // only what is said at a start hangs on it
    }
  };
  const look = async (origin: string): Promise<Result<{ known: boolean }>> => {
    try {
      const origins = await read();
      if (origins.includes(origin)) return ok({ known: true });
      await writeFileAtomic(path, JSON.stringify([...origins, origin].slice(-KEEP)));
      return ok({ known: false });
    } catch (error) {
      return failFile(error);
    }
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    seen: (origin) => {
      const result = last.then(() => look(origin));
      last = result;
      return result;
    },
  };
};
