/**
 * Upload state of one item's photos: which are held, which are being sent, their speed, and the actions "send now" and "pause".
 */
import {
  isHeld,
  pausePhotos,
  type PhotosWait,
  sendPhotosNow,
} from '../../../outbox/queue/upload-policy.ts';
import type { QueuedOperation, QueueItem } from '../../../outbox/queue/queue.ts';
import { app } from '../../../state/app.svelte.ts';
import { steady, timeLeft } from '../../../state/photos/rate.ts';
import { rates } from '../../../state/photos/rates.ts';
import { words } from '../../../words/company-words.ts';

type Entries = readonly QueuedOperation[];

export interface Pace {
  /** Photos held until a better network or a person's decision. */
  readonly held: Entries;
  /** Photos that are sent without further action, or are being sent. */
  readonly going: Entries;
}

/** Splits an item's photos. Parked ones are in neither list. */
export const paceOf = ({ operations }: QueueItem, wait: PhotosWait | null): Pace => {
  const photos = operations.filter(({ photo, state }) => photo !== null && state !== 'parked');
  const held = photos.filter(
    ({ kind, state, pace }) => state === 'waiting' && isHeld({ kind, photo_pace: pace }, wait),
  );
  return { held, going: photos.filter((operation) => !held.includes(operation)) };
};

/** Speed and remaining time of photos with `rest` bytes left; '' while unknown. `at` comes from `performance`. */
export const figuresOf = (photo_ids: readonly string[], rest: number, at: number): string => {
  const t = words.waiting.traffic;
  const rate = rates.of(photo_ids, at);
  if (rate === null) return '';
  const left = timeLeft(rest, rate);
  const said = [t.speed(steady(rate))];
  return (left === null ? said : [...said, t.left(left)]).join(' · ');
};

const idsOf = (operations: Entries): readonly string[] => operations.map(({ id }) => id);

export const sendNow = async (operations: Entries): Promise<void> => {
  await sendPhotosNow(app.deps, idsOf(operations));
  app.tryNow();
};

export const pause = async (operations: Entries): Promise<void> => {
  await pausePhotos(app.deps, idsOf(operations));
};
