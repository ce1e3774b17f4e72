/**
 * Wakes the engine on a changed operation in any window, on the network, on the session, and when bytes of a photo
 * arrive.
 */
import { Dexie } from 'dexie';
import type { HostEvent, SessionView } from '../../../contract/host.ts';
import type { Deps } from '../../data/db/db.ts';

type PhotoProgress = Extract<HostEvent, { kind: 'photo.progress' }>;

export interface WorkEvents {
  entriesChanged(): void;
  online(): void;
  sessionChanged(session: SessionView): void;
  /** The server has more bytes of a photo than before. */
  photoMoved(): void;
  /** Bytes that arrive matter only while all photos are paused. */
  arePhotosPaused(): boolean;
}

/** Answers the function that ends listening. */
export function listenForWork({ db, host }: Pick<Deps, 'db' | 'host'>, on: WorkEvents): () => void {
  /** The last known number of sent bytes, by photo. */
  const sent_bytes = new Map<string, number>();
  const progressed = ({ photo_id, step, sent }: PhotoProgress): void => {
    if (!on.arePhotosPaused()) return sent_bytes.clear();
    if (step !== 'sending') return;
    const before = sent_bytes.get(photo_id);
    sent_bytes.set(photo_id, sent);
    if (before !== undefined && sent > before) on.photoMoved();
  };
  const changed = (parts: object): void => {
    if (Object.keys(parts).some((name) => name.startsWith(`idb://${db.name}/operations/`)))
      on.entriesChanged();
  };

  Dexie.on('storagemutated', changed);
  globalThis.addEventListener('online', on.online);
  const unlisten = [
    host.listen('session.changed', (event) => on.sessionChanged(event.session)),
    host.listen('photo.progress', progressed),
  ];
  return () => {
    Dexie.on.storagemutated.unsubscribe(changed);
    globalThis.removeEventListener('online', on.online);
    for (const end of unlisten) end();
  };
}
