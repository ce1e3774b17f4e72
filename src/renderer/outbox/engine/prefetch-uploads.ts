/**
 * Uploads several photos of one record, or files of one time-and-material entry, at once. Their entries are sent in
 * order, because that order becomes the order of the attachments. Only the bytes are uploaded ahead: the host keeps a
 * checkpoint for each photo, and its own operation finds the upload done or joins it. Errors are ignored here, because the
 * operation meets them again at its turn.
 */
import type { Deps, OutboxOperation } from '../../data/db/db.ts';
import { bytesOf, sendsBytes } from '../../operations/operation.ts';

/** The most uploads ahead within one record, and over all records. */
const OF_RECORD = 2;
const IN_ALL = 4;

export const createPrefetch = (
  { db, host }: Pick<Deps, 'db' | 'host'>,
  held: (operation: OutboxOperation) => boolean,
) => {
  const going = new Set<string>();

  const upload = async (operation: OutboxOperation): Promise<void> => {
    const bytes = bytesOf(operation);
    if (bytes === null || going.size >= IN_ALL || going.has(operation.id)) return;
    going.add(operation.id);
    const { photo, company_id } = bytes;
    const { account } = operation;
    await host.call('photos.upload', { photo_id: photo.photo_id, company_id, account });
    going.delete(operation.id);
  };

  /** Called when an operation's attempt begins: starts the uploads behind it. */
  return async (operation: OutboxOperation): Promise<void> => {
    if (!sendsBytes(operation)) return;
    const lane = await db.operations.where('lane').equals(operation.lane).sortBy('seq');
    const behind = lane.slice(lane.findIndex(({ id }) => id === operation.id) + 1);
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
