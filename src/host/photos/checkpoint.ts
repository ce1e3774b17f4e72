/**
 * How far a photo's upload got, in one small fsynced file per photo: a restart goes on from here (failures A1). Beside it
 * the hashes of its segments, where they are not those the spool took at capture: lost, they are only computed again.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { md5Hex, sha256Hex } from '../../contract/rest/uploads.ts';
import { removeFile } from '../../disk/patient.ts';
import { ensureFolder, readIfThere, writeFileAtomic } from '../files.ts';

const checkpointSchema = z.object({
  version: z.literal(1),
  /** An upload belongs to the user who made it (decisions §5.6): another account or server starts its own. */
  account: z.string(),
  company_id: z.number().int(),
  uuid: z.string(),
  mode: z.enum(['segments', 'form']),
  /** Bytes of each segment but the last: fixed when the upload was created. Left out: as the spool cut it. */
  segment_size: z.number().int().positive().optional(),
  /** Of each segment, what the server answered; null where it is not in. */
  etags: z.array(z.string().nullable()),
  /** Everything is sent and completed. */
  done: z.boolean(),
});
export type Checkpoint = z.infer<typeof checkpointSchema>;

const layoutSchema = z.object({
  /** Of the whole file these are the segments of. */
  sha256: sha256Hex,
  segment_size: z.number().int().positive(),
  segments: z.array(
    z.object({ size: z.number().int().positive(), sha256: sha256Hex, md5: md5Hex }),
  ),
});
export type Layout = z.infer<typeof layoutSchema>;

export interface Checkpoints {
  get(photoId: string): Promise<Checkpoint | null>;
  /** Durable when it answers. Writes for one photo that arrive together become one. */
  put(photoId: string, checkpoint: Checkpoint): Promise<void>;
  drop(photoId: string): Promise<void>;
  /** Hashes computed for an upload's own segments; null where there are none, or damaged ones. */
  layout(photoId: string): Promise<Layout | null>;
  keepLayout(photoId: string, layout: Layout): Promise<void>;
}

/** What the file says, by its schema; null where it is not there or damaged. */
const readAs = async <T>(path: string, schema: z.ZodType<T>): Promise<T | null> => {
  try {
    const text = await readIfThere(path);
    return text === null ? null : (schema.safeParse(JSON.parse(text)).data ?? null);
  } catch {
    return null;
  }
};

export const openCheckpoints = async (folder: string): Promise<Checkpoints> => {
  await ensureFolder(folder);
  const pathOf = (photoId: string) => join(folder, `${photoId}.json`);
  const layoutPath = (photoId: string) => join(folder, `${photoId}.segments.json`);
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
    // Damaged: a new upload costs bytes, not a photo.
    get: (photoId) => readAs(pathOf(photoId), checkpointSchema),
    put: (photoId, checkpoint) => {
      newest.set(photoId, checkpoint);
      return chain(photoId, () => write(photoId));
    },
    drop: (photoId) => {
      newest.delete(photoId);
      return chain(photoId, async () => {
        await removeFile(pathOf(photoId));
        await removeFile(layoutPath(photoId));
      });
    },
    layout: (photoId) => readAs(layoutPath(photoId), layoutSchema),
    keepLayout: (photoId, layout) =>
      chain(photoId, () => writeFileAtomic(layoutPath(photoId), JSON.stringify(layout))),
  };
};
