/** What the shell knows of queue, session and photos on their way: made of the host's events alone, so that a test feeds it. */
import type { HostEvent } from '../contract/host.ts';
import type { Standing } from './notices.ts';

type Progress = Extract<HostEvent, { kind: 'photo.progress' }>;

export interface Known extends Standing {
  /** Photos on their way, by id. */
  readonly photos: ReadonlyMap<string, Pick<Progress, 'sent' | 'size'>>;
  /** A newer version of the program that is here, or to be had. */
  readonly newer: string | null;
}

export const NOTHING_KNOWN: Known = {
  waiting: 0,
  parked: 0,
  sending: 0,
  unwritten: false,
  due: null,
  session: null,
  photos: new Map(),
  newer: null,
};

export const after = (known: Known, event: HostEvent): Known => {
  if (event.kind === 'session.changed') return { ...known, session: event.session.state };
  if (event.kind === 'desktop.changed') {
    const { state, version } = event.desktop.update;
    return { ...known, newer: state === 'ready' || state === 'told' ? version : null };
  }
  if (event.kind === 'window.reported') {
    // Nothing on its way: what was told of photos is over.
    const photos = event.report.sending === 0 ? new Map() : known.photos;
    // A page that was opened anew has not counted yet: what was told before still holds.
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

/** Of the bytes on their way, 0 to 1; 2 where something goes whose size says nothing; null: nothing goes. */
export const sentOf = ({ sending, photos }: Known): number | null => {
  if (sending === 0) return null;
  const all = [...photos.values()];
  const size = all.reduce((sum, photo) => sum + photo.size, 0);
  return size === 0 ? 2 : all.reduce((sum, photo) => sum + photo.sent, 0) / size;
};
