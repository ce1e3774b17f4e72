/**
 * Garbage-collects orphaned photos: taken in before a crash that lost their draft, or discarded while the queue still
 * needed them. Every window's database claims the photos it knows; each browser has its own. A photo is dropped if it
 * is older than 30 days and neither claimed nor named by a queued operation. Nothing is dropped in the first 30 days after
 * the first claim, so that every database in use has reported. A claim expires after half a year.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ulidSchema } from '../../contract/host.ts';
import type { Clock } from '../lib/clock.ts';
import { removeFile } from '../../disk/retry-busy-file.ts';
import { dropUnfinished, ensureFolder, readIfThere, writeFileAtomic } from '../lib/files.ts';
import { createTurns } from '../lib/turns.ts';
import type { Spool } from './spool/spool-types.ts';

const DAY = 86_400_000;
/** Younger photos may belong to something in progress, or be restored from a kept database. */
const ORPHAN_AGE = 30 * DAY;
const CLAIM_AGE = 180 * DAY;

const claimSchema = z.object({
  version: z.literal(1),
  /** Milliseconds since the epoch by this laptop's clock. */
  at: z.number(),
  photo_ids: z.array(ulidSchema),
});

export interface UnclaimedPhotosParts {
  readonly folder: string;
  readonly spool: Spool;
  readonly clock: Clock;
  readonly needed: (photoId: string) => boolean;
  readonly discard: (photoId: string) => Promise<unknown>;
}

export interface UnclaimedPhotos {
  /**
   * Records that the window's database (`store`) knows exactly these photos.
   * @returns the number of dropped orphans
   */
  claim(store: string, photoIds: readonly string[]): Promise<number>;
}

export const openUnclaimedPhotos = async (
  parts: UnclaimedPhotosParts,
): Promise<UnclaimedPhotos> => {
  const { folder, spool, clock, needed, discard } = parts;
  await ensureFolder(folder);
  await dropUnfinished(folder);
  const sincePath = join(folder, 'since');
  const pathOf = (store: string) => join(folder, `${store}.json`);

  /** Null if a claim is unreadable: it may name any photo, so nothing is dropped. */
  const claimed = async (): Promise<ReadonlySet<string> | null> => {
    const all = new Set<string>();
    for (const name of await readdir(folder)) {
      if (!name.endsWith('.json')) continue;
      const text = await readIfThere(join(folder, name));
      let raw: unknown = null;
      try {
        raw = JSON.parse(text ?? 'null');
      } catch {
        return null;
      }
      const claim = claimSchema.safeParse(raw);
      if (!claim.success) return null;
      if (claim.data.at < clock.now() - CLAIM_AGE) await removeFile(join(folder, name));
      else for (const photoId of claim.data.photo_ids) all.add(photoId);
    }
    return all;
  };

  /** The time of the first claim; now, if it cannot be read. */
  const since = async (): Promise<number> => {
    const stored = Number(await readIfThere(sincePath));
    if (stored > 0) return stored;
    await writeFileAtomic(sincePath, String(clock.now()));
    return clock.now();
  };

  const claim = async (store: string, photoIds: readonly string[]): Promise<number> => {
    const text = JSON.stringify({ version: 1, at: clock.now(), photo_ids: photoIds });
    await writeFileAtomic(pathOf(store), text);
    const before = clock.now() - ORPHAN_AGE;
    if ((await since()) > before) return 0;
    const known = await claimed();
    if (known === null) return 0;
    let dropped = 0;
    for (const photoId of await spool.olderThan(before)) {
      if (known.has(photoId) || needed(photoId)) continue;
      await discard(photoId);
      dropped += 1;
    }
    return dropped;
  };

  const inTurn = createTurns();
  return { claim: (store, photoIds) => inTurn(() => claim(store, photoIds)) };
};
