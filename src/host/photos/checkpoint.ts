/**
 * How far a photo's delivery got, in small fsynced files: a restart goes on from here (failures A1). `ID.json` says which of its
 * bytes are on the server, `ID.delivery.json` what it hangs on, and `ID.segments.json` has the hashes of its segments,
 * where they are not those the spool took at capture: lost, they are only computed again.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { photoTarget, ulidSchema } from '../../contract/host.ts';
import { md5Hex, sha256Hex } from '../../contract/rest/uploads.ts';
import { removeFile } from '../../disk/patient.ts';
import { dropUnfinished, ensureFolder, readIfThere, writeFileAtomic } from '../files.ts';

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

const deliveredSchema = z.object({
  /** The key that the window gave, and the one in use: another where the upload that the first belongs to is over. */
  given: ulidSchema,
  key: ulidSchema,
  to: photoTarget,
  /** Does the upload hang there? `maybe`: it was tried, and no answer came. */
  hung: z.enum(['no', 'maybe', 'yes']),
  upload_uuid: z.string().nullable(),
  attachment_id: z.number().int().nullable(),
});
/** How far a photo is beyond its bytes. */
export type Delivered = z.infer<typeof deliveredSchema>;
const keptDelivery = deliveredSchema.extend({ account: z.string() });

export interface Checkpoints {
  get(photoId: string): Promise<Checkpoint | null>;
  /** Durable when it answers. Writes for one photo that arrive together become one. */
  put(photoId: string, checkpoint: Checkpoint): Promise<void>;
  /** Forgets the upload; where the photo hangs is kept. */
  drop(photoId: string): Promise<void>;
  /** Forgets both. */
  dropAll(photoId: string): Promise<void>;
  /** Of this account; null where there is none. */
  delivered(photoId: string, account: string): Promise<Delivered | null>;
  keepDelivered(photoId: string, account: string, delivered: Delivered): Promise<void>;
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
  await dropUnfinished(folder);
  const pathOf = (photoId: string) => join(folder, `${photoId}.json`);
  const deliveryPath = (photoId: string) => join(folder, `${photoId}.delivery.json`);
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

  const drop = (
    photoId: string,
    paths: readonly ((photoId: string) => string)[],
  ): Promise<void> => {
    newest.delete(photoId);
    return chain(photoId, async () => {
      for (const path of paths) await removeFile(path(photoId));
    });
  };

  return {
    // Damaged: a new upload costs bytes, not a photo.
    get: (photoId) => readAs(pathOf(photoId), checkpointSchema),
    put: (photoId, checkpoint) => {
      newest.set(photoId, checkpoint);
      return chain(photoId, () => write(photoId));
    },
    drop: (photoId) => drop(photoId, [pathOf, layoutPath]),
    dropAll: (photoId) => drop(photoId, [pathOf, layoutPath, deliveryPath]),
    delivered: async (photoId, account) => {
      const had = await readAs(deliveryPath(photoId), keptDelivery);
      return had?.account === account ? had : null;
    },
    keepDelivered: (photoId, account, delivered) =>
      chain(photoId, () =>
        writeFileAtomic(deliveryPath(photoId), JSON.stringify({ account, ...delivered })),
      ),
    layout: (photoId) => readAs(layoutPath(photoId), layoutSchema),
    keepLayout: (photoId, layout) =>
      chain(photoId, () => writeFileAtomic(layoutPath(photoId), JSON.stringify(layout))),
  };
};
