/**
 * Remembers the origins at which windows opened on this data folder. Browsers keep IndexedDB per origin and profile, so a
 * window at a new origin starts empty and is filled from the journal. That must not be reported as damage.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { ok, type Result } from '../../contract/problem.ts';
import { failFile, readIfThere, writeFileAtomic } from '../lib/files.ts';

/** Maximum number of origins to remember, newest last. */
const KEEP = 100;

export interface Origins {
  /** Records the origin. `known` is true if it was recorded before. */
  seen(origin: string): Promise<Result<{ known: boolean }>>;
}

const originsSchema = z.array(z.string());

export const openOrigins = (folder: string): Origins => {
  const path = join(folder, 'places.json');
  const read = async (): Promise<readonly string[]> => {
    try {
      return originsSchema.parse(JSON.parse((await readIfThere(path)) ?? '[]'));
    } catch {
      return []; // safe: only a message at startup depends on it
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
