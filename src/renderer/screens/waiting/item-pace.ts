/** The photos of one item: which wait and which go, how fast, and the two things a person can tell them. */
import { isHeld, pausePhotos, type PhotosWait, sendPhotosNow } from '../../outbox/photo-pace.ts';
import type { QueueEntryView, QueueItem } from '../../outbox/queue.ts';
import { app } from '../../state/app.svelte.ts';
import { steady, timeLeft } from '../../state/rate.ts';
import { rates } from '../../state/rates.ts';
import { words } from '../../words/words.ts';

type Entries = readonly QueueEntryView[];

export interface Pace {
  /** Photos that wait for the network or for a person's word. */
  readonly held: Entries;
  /** Photos that go by themselves, or are going. */
  readonly going: Entries;
}

/** What is parked is neither. */
export const paceOf = ({ entries }: QueueItem, wait: PhotosWait | null): Pace => {
  const photos = entries.filter(({ photo, state }) => photo !== null && state !== 'parked');
  const held = photos.filter(
    ({ kind, state, pace }) => state === 'waiting' && isHeld({ kind, photo_pace: pace }, wait),
  );
  return { held, going: photos.filter((entry) => !held.includes(entry)) };
};

/** How fast and how long still, of some photos with so many bytes to go; '' while that is not known. `at`: of `performance`. */
export const figuresOf = (photo_ids: readonly string[], rest: number, at: number): string => {
  const t = words.waiting.traffic;
  const rate = rates.of(photo_ids, at);
  if (rate === null) return '';
  const left = timeLeft(rest, rate);
  const said = [t.speed(steady(rate))];
  return (left === null ? said : [...said, t.left(left)]).join(' · ');
};

const idsOf = (entries: Entries): readonly string[] => entries.map(({ id }) => id);

export const sendNow = async (entries: Entries): Promise<void> => {
  await sendPhotosNow(app.deps, idsOf(entries));
  app.tryNow();
};

export const pause = async (entries: Entries): Promise<void> => {
  await pausePhotos(app.deps, idsOf(entries));
};
