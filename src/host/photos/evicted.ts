/** Counts what retention has freed so far, in one small file. For display only. */
import { z } from 'zod';
import { readIfThere, writeFileAtomic } from '../lib/files.ts';

const freedSchema = z.object({
  /** Files and their bytes. A photo that was sent smaller frees two files. */
  files: z.number().int().nonnegative(),
  bytes: z.number().int().nonnegative(),
});
export type FreedSoFar = z.infer<typeof freedSchema>;

export interface Evicted {
  add(files: number, bytes: number): Promise<void>;
  soFar(): FreedSoFar;
}

export const openEvicted = async (path: string): Promise<Evicted> => {
  let now: FreedSoFar = { files: 0, bytes: 0 };
  try {
    const text = await readIfThere(path);
    now = freedSchema.safeParse(JSON.parse(text ?? 'null')).data ?? now;
  } catch {
    // Damaged: the count starts over.
  }
  return {
    add: async (files, bytes) => {
      now = { files: now.files + files, bytes: now.bytes + bytes };
      await writeFileAtomic(path, JSON.stringify(now));
    },
    soFar: () => now,
  };
};
