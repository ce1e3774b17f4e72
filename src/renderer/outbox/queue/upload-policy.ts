/**
 * Decides whether photos wait while texts are sent: because a person paused them, or because of the setting for metered
 * or slow links. A person's decision is stored with the operation, so that a restart and other windows respect it; the
 * setting belongs to the host.
 */
import type { Settings } from '../../../contract/settings.ts';
import type { Result } from '../../../contract/problem.ts';
import type { Deps, OutboxOperation, SpotterDb } from '../../data/db/db.ts';
import { type OperationSummary, operationSummaries } from '../../data/near-misses/queue-summary.ts';
import { bytesOf, traitsOf, sendsBytes } from '../../operations/operation.ts';
import { cancelOperation } from './queue.ts';

/** Why photos are not sent automatically now. */
export type PhotosWait = 'by_hand' | 'save_data' | 'cellular' | 'slow';

/** The browser's network information, if it offers any (Network Information API: Chromium, so Electron too). */
export interface LinkFacts {
  readonly saveData?: boolean;
  readonly type?: string;
  readonly effectiveType?: string;
}

const SLOW: ReadonlySet<string> = new Set(['slow-2g', '2g', '3g']);

/** A browser without network information counts as having a good link. */
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

/** The browser's network information; null if it offers none. */
export const browserLink = (): (LinkFacts & EventTarget) | null =>
  'connection' in navigator ? (navigator.connection as LinkFacts & EventTarget) : null;

/** True if the operation is paused for now. */
export const isHeld = (
  operation: Pick<OutboxOperation, 'kind' | 'photo_pace'>,
  wait: PhotosWait | null,
): boolean => {
  if (!sendsBytes(operation) || operation.photo_pace === 'now') return false;
  return operation.photo_pace === 'paused' || wait !== null;
};

export interface UploadPolicy {
  /** True if the operation is paused, so that operations behind it go. */
  readonly pauses: (operation: Pick<OutboxOperation, 'kind' | 'photo_pace'>) => boolean;
  /**
   * False until the setting was read. Until then photos wait, and so do operations behind them, such as a delete of their
   * record.
   */
  readonly isKnown: () => boolean;
  readonly stop: () => void;
}

const stopSending = async (
  { host }: Pick<Deps, 'host'>,
  operations: readonly OutboxOperation[],
): Promise<void> => {
  const ids = operations.flatMap((operation) => bytesOf(operation)?.photo.photo_id ?? []);
  await Promise.all(ids.map((photo_id) => host.call('photos.cancel', { photo_id })));
};

const ofState = (db: SpotterDb, account: string, state: OutboxOperation['state']) =>
  db.operations
    .where('[account+state+seq]')
    .between([account, state, -Infinity], [account, state, Infinity])
    .and(sendsBytes);

/** For the leading window. `look` is called when paused photos may go. */
export const createUploadPolicy = (
  deps: Pick<Deps, 'db' | 'host'>,
  account: () => string | null,
  look: () => void,
): UploadPolicy => {
  const { db, host } = deps;
  const link = browserLink();
  let sending: Settings['photo_sending'] | null = null;
  let wait: PhotosWait | null = null;

  /** Stops photos in flight that should be paused. The server keeps their segments. */
  const stopHeld = async (): Promise<void> => {
    const of = account();
    if (of === null || wait === null) return;
    const now = await ofState(db, of, 'sending').toArray();
    await stopSending(
      deps,
      now.filter((operation) => isHeld(operation, wait)),
    );
  };
  const decide = (): void => {
    if (sending === null) return;
    wait = whyPhotosWait(sending, link);
    void stopHeld().catch(() => {
      // Those uploads then run to their end.
    });
    look();
  };
  const hear = (settings: Settings): void => {
    if (settings.photo_sending === sending) return;
    sending = settings.photo_sending;
    decide();
  };
  const unlisten = host.listen('settings.changed', (event) => hear(event.settings));
  const ask = async (): Promise<void> => {
    const settings = await host.call('settings.get', {});
    if (settings.ok) hear(settings.value);
    else sending ??= 'always';
    look();
  };
  void ask();
  link?.addEventListener('change', decide);
  return {
    pauses: (operation) => sending !== null && isHeld(operation, wait),
    isKnown: () => sending !== null,
    stop: () => {
      unlisten();
      link?.removeEventListener('change', decide);
    },
  };
};

/** Selects photos: by operation ids, or every queued photo of an account. */
export type Which = readonly string[] | { readonly account: string };

const chosen = ({ db }: Pick<Deps, 'db'>, which: Which) =>
  'account' in which
    ? db.operations
        .where('[account+seq]')
        .between([which.account, -Infinity], [which.account, Infinity])
        .and(sendsBytes)
    : db.operations.where('id').anyOf(which).and(sendsBytes);

const setPace = (
  deps: Pick<Deps, 'db'>,
  which: Which,
  photo_pace: 'paused' | 'now',
): Promise<number> => chosen(deps, which).modify({ photo_pace });

/** Pauses photos until a person sends them. The server keeps the segments it has. */
export const pausePhotos = async (deps: Pick<Deps, 'db' | 'host'>, which: Which): Promise<void> => {
  await setPace(deps, which, 'paused');
  await stopSending(deps, await chosen(deps, which).toArray());
};

/** Sends photos now, whatever the setting says. */
export const sendPhotosNow = (deps: Pick<Deps, 'db'>, which: Which): Promise<number> =>
  setPace(deps, which, 'now');

/** How often to check whether a photo in flight has stopped, and the milliseconds between the checks. */
const LOOKS = 50;
const BETWEEN = 100;

/** Stops a photo and cancels its operation. Fails with `conflict` if the record may have it already. */
export const cancelPhoto = async (deps: Deps, operation_id: string): Promise<Result<null>> => {
  await pausePhotos(deps, [operation_id]);
  for (let look = 0; look < LOOKS; look += 1) {
    const operation = await deps.db.operations.get(operation_id);
    if (operation?.state !== 'sending') break;
    await new Promise<void>((resolve) => deps.clock.after(BETWEEN, resolve));
  }
  return cancelOperation(deps, operation_id);
};

/** A queued photo or file, as its progress is shown. */
export interface PhotoOnItsWay {
  readonly photo_id: string;
  readonly size: number;
  readonly sent: boolean;
  readonly state: OutboxOperation['state'];
  readonly kind: string;
  readonly photo_pace: OutboxOperation['photo_pace'];
}

/** Lanes that are blocked by a parked operation, or that need an incident in such a lane. */
const stoppedLanes = (operations: readonly OperationSummary[]): ReadonlySet<string> => {
  const stopped = new Set(
    operations.flatMap(({ state, kind, lane }) =>
      state === 'parked' && traitsOf(kind)?.blocks ? [lane] : [],
    ),
  );
  const behind = operations.flatMap(({ needs, lane }) =>
    needs !== null && stopped.has(needs) ? [lane] : [],
  );
  return new Set([...stopped, ...behind]);
};

/** liveQuery: the account's queued photos and files, without parked ones and those in blocked lanes. */
export const photosOnTheirWay = async (
  { db }: Pick<Deps, 'db'>,
  account: string,
): Promise<readonly PhotoOnItsWay[]> => {
  const operations = await operationSummaries(db, account);
  const stopped = stoppedLanes(operations);
  return operations.flatMap(({ photo, uploaded, state, kind, lane, photo_pace }) =>
    photo === null || state === 'parked' || stopped.has(lane)
      ? []
      : [{ ...photo, sent: uploaded, state, kind, photo_pace }],
  );
};
