/**
 * Several photos of one record, or files of one time-and-material entry, at once. Their entries go one after the other, because
 * the order of the photos is that of their associations; but the bytes of one may be on the server long before its turn. So while
 * one is being sent the host is asked to upload the next ones too: it keeps a checkpoint for each, and the photo's own turn
 * finds the upload done or joins it. What goes wrong here is found again, and judged, at that turn.
 */
import type { Deps, OutboxEntry } from '../data/db.ts';
import { bytesOf, sendsBytes } from '../entries/entry.ts';

/** Photos of one record behind the one being sent, and of all records. */
const OF_RECORD = 2;
const IN_ALL = 4;

export const createPrefetch = (
  { db, host }: Pick<Deps, 'db' | 'host'>,
  held: (entry: OutboxEntry) => boolean,
) => {
  const going = new Set<string>();

  const upload = async (entry: OutboxEntry): Promise<void> => {
    const bytes = bytesOf(entry);
    if (bytes === null || going.size >= IN_ALL || going.has(entry.id)) return;
    going.add(entry.id);
    const { photo, company_id } = bytes;
    const { account } = entry;
    await host.call('photos.upload', { photo_id: photo.photo_id, company_id, account });
    going.delete(entry.id);
  };

  /** A photo's try begins: those behind it may start. */
  return async (entry: OutboxEntry): Promise<void> => {
    if (!sendsBytes(entry)) return;
    const lane = await db.entries.where('lane').equals(entry.lane).sortBy('seq');
    const behind = lane.slice(lane.findIndex(({ id }) => id === entry.id) + 1);
    const next = behind.filter(
      (one) =>
        sendsBytes(one) &&
        one.state === 'waiting' &&
        one.journaled === 1 &&
        !bytesOf(one)?.step &&
        !held(one),
    );
    await Promise.all(next.slice(0, OF_RECORD).map(upload));
  };
};
