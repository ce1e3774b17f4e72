/**
 * Photos that nothing names any more: taken in before a crash that lost their draft, or let go of while the queue still needed
 * them. Every window's database says which photos it knows (there may be several: each browser has its own); what no database
 * claims, no queued entry names and is older than 30 days leaves the spool. Nothing goes in the first 30 days after the first
 * claim, so that every database in use has spoken; one that was not seen for half a year claims nothing.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ulidSchema } from '../../contract/host.ts';
import type { Clock } from '../clock.ts';
import { removeFile } from '../../disk/patient.ts';
import { dropUnfinished, ensureFolder, readIfThere, writeFileAtomic } from '../files.ts';
import type { Spool } from './spool.ts';

const DAY = 86_400_000;
/** Younger photos may belong to something that is being made, or be brought back from a kept database. */
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
  /** A window's database (`store`) knows these photos and no others. Answers how many nobody knew, and dropped. */
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

  /** Null where a claim cannot be read: then nothing is dropped, because it may name anything. */
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

  /** When the first claim was made; now, where that cannot be read. */
  const since = async (): Promise<number> => {
    const told = Number(await readIfThere(sincePath));
    if (told > 0) return told;
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

  let last: Promise<unknown> = Promise.resolve();
  return {
    claim: (store, photoIds) => {
      const result = last.then(() => claim(store, photoIds));
      last = result.catch(() => undefined);
      return result;
    },
  };
};
