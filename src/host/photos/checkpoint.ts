/**
 * Keeps the progress of a photo's delivery in small fsynced files, so that a restart resumes (failures A1). `ID.json`
 * records the bytes on the server, `ID.delivery.json` the attachment, and `ID.segments.json` the hashes of segments
 * that differ from the spool's. Lost hashes are recomputed.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { photoTarget, ulidSchema } from '../../contract/host.ts';
import { md5Hex, sha256Hex } from '../../contract/rest/uploads.ts';
import { removeFile } from '../../disk/retry-busy-file.ts';
import { dropUnfinished, ensureFolder, readIfThere, writeFileAtomic } from '../lib/files.ts';

const checkpointSchema = z.object({
  version: z.literal(1),
  /** An upload belongs to the user who created it (decisions §5.6). Another account or server starts a new one. */
  account: z.string(),
  company_id: z.number().int(),
  uuid: z.string(),
  mode: z.enum(['segments', 'form']),
  /** Bytes of each segment except the last, fixed when the upload was created. */
  segment_size: z.number().int().positive(),
  /** The server's answer for each segment; null if it is not uploaded. */
  etags: z.array(z.string().nullable()),
  /** True once everything is uploaded and completed. */
  done: z.boolean(),
});
export type Checkpoint = z.infer<typeof checkpointSchema>;

const layoutSchema = z.object({
  /** SHA-256 of the whole file. */
  sha256: sha256Hex,
  segment_size: z.number().int().positive(),
  segments: z.array(
    z.object({ size: z.number().int().positive(), sha256: sha256Hex, md5: md5Hex }),
  ),
});
type Layout = z.infer<typeof layoutSchema>;

const deliveredSchema = z.object({
  /** The window's key, and the key in use. They differ if the first upload has expired. */
  given: ulidSchema,
  key: ulidSchema,
  to: photoTarget,
  /** Whether the upload is attached. `maybe`: the attaching request was sent and got no answer. */
  attached: z.enum(['no', 'maybe', 'yes']),
  upload_uuid: z.string().nullable(),
  attachment_id: z.number().int().nullable(),
});
/** The progress of a photo beyond its bytes. */
export type Delivered = z.infer<typeof deliveredSchema>;
const keptDelivery = deliveredSchema.extend({ account: z.string() });

export interface Checkpoints {
  get(photoId: string): Promise<Checkpoint | null>;
  /** Resolves once durable. Concurrent writes for one photo are merged. */
  put(photoId: string, checkpoint: Checkpoint): Promise<void>;
  /** Forgets the upload; the attachment's state is kept. */
  drop(photoId: string): Promise<void>;
  /** Forgets the upload and the attachment's state. */
  dropAll(photoId: string): Promise<void>;
  /** The state of the photo's attachment for this account; null if there is none. */
  delivered(photoId: string, account: string): Promise<Delivered | null>;
  keepDelivered(photoId: string, account: string, delivered: Delivered): Promise<void>;
  /** Hashes of an upload's own segment size; null if missing or damaged. */
  layout(photoId: string): Promise<Layout | null>;
  keepLayout(photoId: string, layout: Layout): Promise<void>;
}

/** The file's content by its schema; null if missing or damaged. */
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
    // A damaged checkpoint costs a new upload, but never a photo.
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
