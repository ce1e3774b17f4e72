/** Reduces the host's events to the state of queue, session and photos, so that a test can feed it events. */
import type { HostEvent } from '../../contract/host.ts';
import type { Standing } from '../system/notices.ts';

type Progress = Extract<HostEvent, { kind: 'photo.progress' }>;

export interface Known extends Standing {
  /** Photos being sent, by id. */
  readonly photos: ReadonlyMap<string, Pick<Progress, 'sent' | 'size'>>;
  /** A newer version of the program, downloaded or announced. */
  readonly newer: string | null;
}

export const NOTHING_KNOWN: Known = {
  waiting: 0,
  parked: 0,
  sending: 0,
  unwritten: false,
  copying: false,
  due: null,
  session: null,
  photos: new Map(),
  newer: null,
};

export const after = (known: Known, event: HostEvent): Known => {
  if (event.kind === 'session.changed') return { ...known, session: event.session.state };
  if (event.kind === 'desktop.changed') {
    const { state, version } = event.desktop.update;
    return { ...known, newer: state === 'ready' || state === 'announced' ? version : null };
  }
  if (event.kind === 'window.reported') {
    // Nothing is being sent, so the photos' progress is outdated.
    const photos = event.report.sending === 0 ? new Map() : known.photos;
    // A reloaded page has not counted yet, so the last count stays.
    const due = event.report.due ?? known.due;
    return { ...known, ...event.report, due, photos };
  }
  if (event.kind !== 'photo.progress') return known;
  const photos = new Map(known.photos);
  const { photo_id, step, sent, size } = event;
  if (step === 'verifying') photos.delete(photo_id);
  else photos.set(photo_id, { sent, size });
  return { ...known, photos };
};

/**
 * Progress of the bytes being sent, 0 to 1. Returns 2 (an indeterminate bar) when the total size is unknown, null when nothing
 * is being sent.
 */
export const sentOf = ({ sending, photos }: Known): number | null => {
  if (sending === 0) return null;
  const all = [...photos.values()];
  const size = all.reduce((sum, photo) => sum + photo.size, 0);
  return size === 0 ? 2 : all.reduce((sum, photo) => sum + photo.sent, 0) / size;
};
