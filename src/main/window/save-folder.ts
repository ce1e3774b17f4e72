/** Remembers the folder of the last export and offers it for the next one, across restarts. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DownloadItem, Session } from 'electron';

export interface SaveFolder {
  /** Returns the path to offer for a file of this name. */
  offer(name: string): string;
  /** Records the path that a person chose. */
  chosen(path: string): void;
}

/** @param usual returns the folder to offer before the first export */
export const keepSaveFolder = (data_dir: string, usual: () => string): SaveFolder => {
  const note = join(data_dir, 'save-folder');
  const last = (): string => {
    try {
      const folder = readFileSync(note, 'utf8');
      return existsSync(folder) ? folder : usual();
    } catch {
      return usual();
    }
  };
  return {
    offer: (name) => join(last(), basename(name)),
    chosen: (path) => {
      try {
        writeFileSync(note, dirname(path), { mode: 0o600 });
      } catch {
        // Not fatal: the next export is offered the previous folder.
      }
    },
  };
};

/** Offers the remembered folder in the save dialog of every download. */
export const askWhereToSave = (session: Pick<Session, 'on'>, folder: SaveFolder): void =>
  void session.on('will-download', (_event, item: DownloadItem) => {
    item.setSaveDialogOptions({ defaultPath: folder.offer(item.getFilename()) });
    item.once('done', (_done, state) => {
      const path = item.getSavePath();
      if (state === 'completed' && path !== '') folder.chosen(path);
    });
  });
