/** Where exports go: each asks where once, and is then offered the folder of the last one, over restarts too. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DownloadItem, Session } from 'electron';

export interface SaveFolder {
  /** The path to offer for a file of this name. */
  offer(name: string): string;
  /** A person chose this path. */
  chosen(path: string): void;
}

/** @param usual the folder where nothing was saved yet */
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
        // The next export is offered the folder before: nothing is lost.
      }
    },
  };
};

/** Every download of the window asks with the system's dialog. */
export const askWhereToSave = (session: Pick<Session, 'on'>, folder: SaveFolder): void =>
  void session.on('will-download', (_event, item: DownloadItem) => {
    item.setSaveDialogOptions({ defaultPath: folder.offer(item.getFilename()) });
    item.once('done', (_done, state) => {
      const path = item.getSavePath();
      if (state === 'completed' && path !== '') folder.chosen(path);
    });
  });
