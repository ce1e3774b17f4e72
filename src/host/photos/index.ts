/** The host API for photos: spool, upload and receipt. */
import { join } from 'node:path';
import { ok, type Result } from '../../contract/problem.ts';
import { failFile } from '../lib/files.ts';
import { createProgress } from './announce.ts';
import { openCheckpoints } from './checkpoint.ts';
import { createDeliveries } from './deliveries.ts';
import { openEvicted, type FreedSoFar } from './evicted.ts';
import type { PhotosParts } from './photos-parts.ts';
import { createRetention } from './retention.ts';
import { createLink } from './segment-size.ts';
import { openUnclaimedPhotos } from './orphans.ts';
import type { SpoolUsage } from './spool/spool-index.ts';
import { openSpool } from './spool/spool.ts';
import { fetchAttachment, type FileOf, type Wanted } from './fetch.ts';
import { createReadBack } from './read-back.ts';
import { createUploads } from './uploads.ts';

export const openPhotos = async (parts: PhotosParts) => {
  const { session, emit } = parts;
  const spool = await openSpool(parts.folder, parts.free_space, parts.named, parts.mentions);
  const checkpoints = await openCheckpoints(join(parts.folder, 'uploads'));
  const uploads = createUploads(parts, {
    spool,
    checkpoints,
    link: createLink(),
  });
  const reader = createReadBack(parts, spool);
  const freed = await openEvicted(join(parts.folder, 'freed.json'));
  const needed = (photoId: string): boolean => parts.named(photoId) || uploads.has(photoId);
  const retention = createRetention({
    spool,
    checkpoints,
    freed,
    clock: parts.clock,
    keep_days: () => parts.settings().photo_keep_days,
    needed,
    mentions: parts.mentions,
  });
  /** Photos discarded while the journal still named them; dropped once it no longer does. */
  const unwanted = new Set<string>();

  const deliveries = createDeliveries({
    api: parts.api,
    session,
    checkpoints,
    find: spool.find,
    upload: uploads.upload,
    readBack: reader.readBack,
    readBackEntry: reader.readBackEntry,
    attaching: (photo) =>
      createProgress(emit, photo, parts.clock.monotonic)('attaching', photo.size),
  });

  const drop = async (photoId: string): Promise<Result<{ dropped: boolean }>> => {
    // Cancels a prefetched upload that nobody needs any more.
    await uploads.cancel(photoId);
    const dropped = await spool.discard(photoId);
    if (!dropped.ok) return dropped;
    await checkpoints.dropAll(photoId);
    return ok({ dropped: true });
  };
  /** Drops discarded photos that the journal no longer names. */
  const letGo = (): void => {
    for (const photoId of unwanted) {
      if (parts.named(photoId)) continue;
      unwanted.delete(photoId);
      void drop(photoId);
    }
  };
  const unclaimed = await openUnclaimedPhotos({
    folder: join(parts.folder, 'claims'),
    spool,
    clock: parts.clock,
    needed,
    discard: drop,
  });

  return {
    spool,
    upload: uploads.upload,
    deliver: deliveries.deliver,
    delivery: async (photoId: string) => {
      const had = await checkpoints.get(photoId);
      const delivered = await checkpoints.delivered(photoId, session.view().account ?? '');
      return ok({
        segments: had?.etags.filter((etag) => etag !== null).length ?? 0,
        uploaded: had?.done ?? false,
        attached: delivered?.attached ?? 'no',
      });
    },
    cancel: uploads.cancel,
    findAttachment: reader.findAttachment,
    restart: async (photoId: string): Promise<void> => {
      await uploads.cancel(photoId);
      await checkpoints.dropAll(photoId);
      await spool.undelivered(photoId);
    },
    usage: async (): Promise<Result<SpoolUsage & { readonly freed: FreedSoFar }>> => {
      try {
        return ok({ ...(await spool.usage()), freed: freed.soFar() });
      } catch (error) {
        return failFile(error);
      }
    },
    letGo,
    /** Called when the queue may need fewer photos. */
    settled: (): void => {
      retention.soon();
      letGo();
    },
    discard: async (photoId: string): Promise<Result<{ dropped: boolean }>> => {
      if (!parts.named(photoId)) return drop(photoId);
      unwanted.add(photoId);
      return ok({ dropped: false });
    },
    /** See orphans.ts. */
    claim: async (store: string, photoIds: readonly string[]) => {
      try {
        return ok({ dropped: await unclaimed.claim(store, photoIds) });
      } catch (error) {
        return failFile(error);
      }
    },
    attachment: async (input: Wanted & FileOf) => {
      const target = await session.target();
      if (!target.ok) return target;
      const fetched = await fetchAttachment(parts, target.value, input);
      return session.believe(target.value, fetched);
    },
    close: async (): Promise<void> => {
      // First of all, so that nothing new starts, not even the next step of a delivery.
      uploads.abort();
      reader.abort();
      await retention.stop();
      await deliveries.close();
      await uploads.ended();
      await spool.close();
    },
  };
};
export type Photos = Awaited<ReturnType<typeof openPhotos>>;
