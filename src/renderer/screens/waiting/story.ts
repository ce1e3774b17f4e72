/** Pure where it can be: one queued item told in a line, its bytes, and what counts as delivered today. */
import type { Deps, NearMissRow } from '../../data/db.ts';
import { waitingRecords } from '../../data/near-miss-list.ts';
import type { QueueEntryView, QueueItem } from '../../outbox/queue.ts';
import type { PhotoProgress } from '../../state/app.svelte.ts';
import { problemWords } from '../../words/problems.ts';
import { words } from '../../words/en.ts';

const t = words.waiting;

export const startOfDay = (at: number): number => {
  const day = new Date(at);
  day.setHours(0, 0, 0, 0);
  return day.getTime();
};

const photosOf = (item: QueueItem): readonly QueueEntryView[] =>
  item.entries.filter((entry) => entry.photo !== null);

/** The part of the item that is not about photos, as a person says it. */
const recordWord = (item: QueueItem): string => {
  const record = item.entries.find((entry) => entry.photo === null);
  if (record === undefined) return t.record_delivered;
  return record.kind === 'near_miss.create'
    ? t.record_saved
    : (t.operations[record.kind] ?? record.kind);
};

/** `Record saved · 3 photos, 11.9 MB`; for what needs the user, the reason. */
export const lineOf = (item: QueueItem): string => {
  const parked = item.entries.find((entry) => entry.state === 'parked');
  if (parked?.problem) return problemWords(parked.problem).what;
  const photos = photosOf(item);
  const parts = [recordWord(item)];
  if (photos.length > 0) parts.push(t.facts(photos.length, item.bytes));
  return parts.join(' · ');
};

export interface Movement {
  /** 0..1, null where nothing is measured. */
  readonly share: number | null;
  readonly text: string;
}

/** How far the item is: bytes acknowledged over all photos that wait, and what is being done right now. */
export const movementOf = (
  item: QueueItem,
  progress: Readonly<Record<string, PhotoProgress>>,
): Movement => {
  const photos = photosOf(item);
  const sent = photos.reduce((sum, { photo, step }) => {
    if (photo === null) return sum;
    if (step === 'uploaded' || step === 'associated') return sum + photo.size;
    return sum + Math.min(photo.size, progress[photo.photo_id]?.sent ?? 0);
  }, 0);
  const moving = photos.find((entry) => entry.state === 'sending' && entry.photo !== null);
  const live = moving?.photo ? progress[moving.photo.photo_id] : undefined;
  const tries = Math.max(0, ...item.entries.map((entry) => entry.attempts));
  if (photos.length === 0)
    return {
      share: null,
      text: item.state === 'sending' ? t.sending : tries === 0 ? t.not_started : t.tries(tries),
    };
  const share = item.bytes > 0 ? sent / item.bytes : 0;
  if (item.state !== 'sending' && sent === 0)
    return { share: 0, text: tries === 0 ? t.not_started : t.tries(tries) };
  const of = t.of_bytes(sent, item.bytes);
  return { share, text: live ? `${of} · ${t.steps[live.step]}` : of };
};

export interface Delivered {
  readonly row: NearMissRow;
  readonly photos: number;
  readonly bytes: number;
  readonly at: number;
}

/** Of today's records: those made on this laptop, on the server whole, with nothing of them waiting. Newest first. */
export const deliveredToday = async (
  deps: Pick<Deps, 'db'>,
  account: string,
  rows: readonly NearMissRow[],
): Promise<readonly Delivered[]> => {
  const waiting = await waitingRecords(deps, account);
  const mine = rows.filter(
    (row) => row.server_id !== null && !row.key.startsWith('srv-') && !waiting.has(row.key),
  );
  const photos = await deps.db.photos
    .where('near_miss_key')
    .anyOf(mine.map((row) => row.key))
    .toArray();
  return mine
    .map((row) => {
      const receipts = photos
        .filter((photo) => photo.near_miss_key === row.key)
        .flatMap((photo) => photo.receipt ?? []);
      return {
        row,
        photos: receipts.length,
        bytes: receipts.reduce((sum, receipt) => sum + receipt.size, 0),
        at: Math.max(row.created_at, ...receipts.map((receipt) => receipt.checked_at)),
      };
    })
    .sort((a, b) => b.at - a.at);
};
