/** What tidying up has freed so far, in one small file: told to people beside what is still taken, and for nothing else. */
import { z } from 'zod';
import { readIfThere, writeFileAtomic } from '../files.ts';

const freedSchema = z.object({
  /** Files, and their bytes: a photo that was sent smaller frees two. */
  files: z.number().int().nonnegative(),
  bytes: z.number().int().nonnegative(),
});
export type FreedSoFar = z.infer<typeof freedSchema>;

export interface Freed {
  add(files: number, bytes: number): Promise<void>;
  soFar(): FreedSoFar;
}

export const openFreed = async (path: string): Promise<Freed> => {
  let now: FreedSoFar = { files: 0, bytes: 0 };
  try {
    const text = await readIfThere(path);
    now = freedSchema.safeParse(JSON.parse(text ?? 'null')).data ?? now;
  } catch {
    // Damaged: it counts from here on.
  }
  return {
    add: async (files, bytes) => {
      now = { files: now.files + files, bytes: now.bytes + bytes };
      await writeFileAtomic(path, JSON.stringify(now));
    },
    soFar: () => now,
  };
};
