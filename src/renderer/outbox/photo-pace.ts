/**
 * Photos may wait while the texts go: because a person paused them, or because data is dear or slow and the setting says so.
 * What a person decided stands with the entry, so that a restart and another window know it; the setting is the host's.
 */
import type { Settings } from '../../contract/settings.ts';
import type { Result } from '../../contract/problem.ts';
import type { Deps, OutboxEntry, SpotterDb } from '../data/db.ts';
import { type EntryDigest, entryDigests } from '../data/entries-digest.ts';
import { bytesOf, factsOf, sendsBytes } from '../entries/entry.ts';
import { takeBack } from './queue.ts';

/** Why photos do not go by themselves just now. */
export type PhotosWait = 'by_hand' | 'save_data' | 'cellular' | 'slow';

/** What browsers tell of the network, where they tell it (Network Information API: Chromium, so Electron too). */
export interface LinkFacts {
  readonly saveData?: boolean;
  readonly type?: string;
  readonly effectiveType?: string;
}

const SLOW: ReadonlySet<string> = new Set(['slow-2g', '2g', '3g']);

/** Pure. A browser that tells nothing of its link has a good one. */
export const whyPhotosWait = (
  sending: Settings['photo_sending'],
  link: LinkFacts | null,
): PhotosWait | null => {
  if (sending === 'always') return null;
  if (sending === 'by_hand') return 'by_hand';
  if (link?.saveData === true) return 'save_data';
  if (link?.type === 'cellular') return 'cellular';
  return SLOW.has(link?.effectiveType ?? '') ? 'slow' : null;
};

/** The browser's word on the link; null where it has none. */
export const browserLink = (): (LinkFacts & EventTarget) | null =>
  'connection' in navigator ? (navigator.connection as LinkFacts & EventTarget) : null;

/** Pure: is this entry passed by for now? */
export const isHeld = (
  entry: Pick<OutboxEntry, 'kind' | 'photo_pace'>,
  wait: PhotosWait | null,
): boolean => {
  if (!sendsBytes(entry) || entry.photo_pace === 'now') return false;
  return entry.photo_pace === 'paused' || wait !== null;
};

export interface PhotoPace {
  /** Is it passed by, so that what is behind it goes? */
  readonly holds: (entry: Pick<OutboxEntry, 'kind' | 'photo_pace'>) => boolean;
  /** Until the setting was read nobody knows: then a photo waits, and whatever is behind it, as a delete of its record is. */
  readonly knows: () => boolean;
  readonly stop: () => void;
}

const stopSending = async (
  { host }: Pick<Deps, 'host'>,
  entries: readonly OutboxEntry[],
): Promise<void> => {
  const ids = entries.flatMap((entry) => bytesOf(entry)?.photo.photo_id ?? []);
  await Promise.all(ids.map((photo_id) => host.call('photos.cancel', { photo_id })));
};

const ofState = (db: SpotterDb, account: string, state: OutboxEntry['state']) =>
  db.entries
    .where('[account+state+seq]')
    .between([account, state, -Infinity], [account, state, Infinity])
    .and(sendsBytes);

/** For the window that sends. `look`: something may go now that waited. */
export const createPhotoPace = (
  deps: Pick<Deps, 'db' | 'host'>,
  account: () => string | null,
  look: () => void,
): PhotoPace => {
  const { db, host } = deps;
  const link = browserLink();
  let sending: Settings['photo_sending'] | null = null;
  let wait: PhotosWait | null = null;

  /** What is on its way and should wait now stops; the server keeps the segments it has. */
  const stopHeld = async (): Promise<void> => {
    const of = account();
    if (of === null || wait === null) return;
    const now = await ofState(db, of, 'sending').toArray();
    await stopSending(
      deps,
      now.filter((entry) => isHeld(entry, wait)),
    );
  };
  const judge = (): void => {
    if (sending === null) return;
    wait = whyPhotosWait(sending, link);
    void stopHeld().catch(() => {
      // Those photos go on to their end.
    });
    look();
  };
  const hear = (settings: Settings): void => {
    if (settings.photo_sending === sending) return;
    sending = settings.photo_sending;
    judge();
  };
  const unlisten = host.listen('settings.changed', (event) => hear(event.settings));
  const ask = async (): Promise<void> => {
    const settings = await host.call('settings.get', {});
    if (settings.ok) hear(settings.value);
    else sending ??= 'always';
    look();
  };
  void ask();
  link?.addEventListener('change', judge);
  return {
    holds: (entry) => sending !== null && isHeld(entry, wait),
    knows: () => sending !== null,
    stop: () => {
      unlisten();
      link?.removeEventListener('change', judge);
    },
  };
};

/** Which photos: some of the queue, or all that wait for the account. */
export type Which = readonly string[] | { readonly account: string };

const chosen = ({ db }: Pick<Deps, 'db'>, which: Which) =>
  'account' in which
    ? db.entries
        .where('[account+seq]')
        .between([which.account, -Infinity], [which.account, Infinity])
        .and(sendsBytes)
    : db.entries.where('id').anyOf(which).and(sendsBytes);

const setPace = (
  deps: Pick<Deps, 'db'>,
  which: Which,
  photo_pace: 'paused' | 'now',
): Promise<number> => chosen(deps, which).modify({ photo_pace });

/** The photos wait until they are told to go; the server keeps what it has of them. */
export const pausePhotos = async (deps: Pick<Deps, 'db' | 'host'>, which: Which): Promise<void> => {
  await setPace(deps, which, 'paused');
  await stopSending(deps, await chosen(deps, which).toArray());
};

/** The photos go now, whatever the setting says. */
export const sendPhotosNow = (deps: Pick<Deps, 'db'>, which: Which): Promise<number> =>
  setPace(deps, which, 'now');

/** How long a photo that is being sent may take to stop, in looks at it. */
const LOOKS = 50;
const BETWEEN = 100;

/** Takes a photo off the queue, stopping it first. `conflict`: the record may have it already. */
export const cancelPhoto = async (deps: Deps, entry_id: string): Promise<Result<null>> => {
  await pausePhotos(deps, [entry_id]);
  for (let look = 0; look < LOOKS; look += 1) {
    const entry = await deps.db.entries.get(entry_id);
    if (entry?.state !== 'sending') break;
    await new Promise<void>((resolve) => deps.clock.after(BETWEEN, resolve));
  }
  return takeBack(deps, entry_id);
};

/** A photo or file that waits, as its progress is shown. */
export interface PhotoOnItsWay {
  readonly photo_id: string;
  /** Bytes. */
  readonly size: number;
  /** All its bytes are there. */
  readonly sent: boolean;
  readonly state: OutboxEntry['state'];
  readonly kind: string;
  readonly photo_pace: OutboxEntry['photo_pace'];
}

/** Lanes in which nothing goes until a person has looked at what holds them, or holds the incident they are filed under. */
const stoppedLanes = (entries: readonly EntryDigest[]): ReadonlySet<string> => {
  const stopped = new Set(
    entries.flatMap(({ state, kind, lane }) =>
      state === 'parked' && factsOf(kind)?.blocks ? [lane] : [],
    ),
  );
  const behind = entries.flatMap(({ needs, lane }) =>
    needs !== null && stopped.has(needs) ? [lane] : [],
  );
  return new Set([...stopped, ...behind]);
};

/** liveQuery: everything of the account that has bytes to send, but what the user must look at, and what waits behind that. */
export const photosOnTheirWay = async (
  { db }: Pick<Deps, 'db'>,
  account: string,
): Promise<readonly PhotoOnItsWay[]> => {
  const entries = await entryDigests(db, account);
  const stopped = stoppedLanes(entries);
  return entries.flatMap(({ photo, uploaded, state, kind, lane, photo_pace }) =>
    photo === null || state === 'parked' || stopped.has(lane)
      ? []
      : [{ ...photo, sent: uploaded, state, kind, photo_pace }],
  );
};
