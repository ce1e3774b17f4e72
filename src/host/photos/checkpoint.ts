/** How far a photo's upload got, in one small fsynced file per photo: a restart goes on from here (failures A1). */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ensureFolder, readIfThere, writeFileAtomic } from '../files.ts';

const checkpointSchema = z.object({
  version: z.literal(1),
  /** An upload belongs to the user who made it (decisions §5.6): another account or server starts its own. */
  account: z.string(),
  company_id: z.number().int(),
  uuid: z.string(),
  mode: z.enum(['segments', 'form']),
  /** Of each segment, what the server answered; null where it is not in. */
  etags: z.array(z.string().nullable()),
  /** Everything is sent and completed. */
  done: z.boolean(),
});
export type Checkpoint = z.infer<typeof checkpointSchema>;

export interface Checkpoints {
  get(photoId: string): Promise<Checkpoint | null>;
  /** Durable when it answers. Writes for one photo that arrive together become one. */
  put(photoId: string, checkpoint: Checkpoint): Promise<void>;
  drop(photoId: string): Promise<void>;
}

export const openCheckpoints = async (folder: string): Promise<Checkpoints> => {
  await ensureFolder(folder);
  const pathOf = (photoId: string) => join(folder, `${photoId}.json`);
  const last = new Map<string, Promise<void>>();
  const newest = new Map<string, Checkpoint>();

  const write = async (photoId: string): Promise<void> => {
    const checkpoint = newest.get(photoId);
    if (!checkpoint) return; // a later call wrote it already
    newest.delete(photoId);
    await writeFileAtomic(pathOf(photoId), JSON.stringify(checkpoint));
  };

  const chain = (photoId: string, run: () => Promise<void>): Promise<void> => {
    const next = (last.get(photoId) ?? Promise.resolve()).catch(() => undefined).then(run);
    last.set(photoId, next);
    const forget = () => void (last.get(photoId) === next && last.delete(photoId));
    next.then(forget, forget);
    return next;
  };

  return {
    get: async (photoId) => {
      try {
        const text = await readIfThere(pathOf(photoId));
        return text === null ? null : (checkpointSchema.safeParse(JSON.parse(text)).data ?? null);
      } catch {
        return null; // damaged: a new upload costs bytes, not a photo
      }
    },
    put: (photoId, checkpoint) => {
      newest.set(photoId, checkpoint);
      return chain(photoId, () => write(photoId));
    },
    drop: (photoId) => {
      newest.delete(photoId);
      return chain(photoId, () => rm(pathOf(photoId), { force: true }));
    },
  };
};
