/**
 * The folder that is watched for new pictures, while a form is open: what is in it, and whether the browser lets it be read. Looked
 * into when something changes in it, when the window is looked at again, and where the browser cannot tell of changes twice a minute.
 */
import {
  forgetFolder,
  markPicturesSeen,
  watchedRow,
  watchFolder,
  type WatchedRow,
} from '../data/watched-folder.ts';
import { groupsByTime, picturesIn, type PictureGroup } from '../photos/folder.ts';

/** `asks`: the browser wants a press first; `gone`: it cannot be read, as a card that is out. */
export type FolderState = 'none' | 'asks' | 'watching' | 'gone';

/** Pictures of the day before it was chosen are new too: they are why it was chosen. */
const BEFORE = 24 * 3_600_000;
const EVERY = 30_000;

class WatchedFolder {
  state = $state<FolderState>('none');
  name = $state('');
  groups = $state.raw<readonly PictureGroup[]>([]);
  /** Can this browser let a person choose one? */
  readonly possible = 'showDirectoryPicker' in globalThis;
  #row: WatchedRow | undefined;
  #observer: FileSystemObserver | null = null;
  #looking: Promise<void> | null = null;
  #again = false;
  /** Forms that are open; with none of them nothing is watched. */
  #followers = 0;
  /** Counts up when another folder is begun with, or none. */
  #turn = 0;

  /** Looks while a form is open, until the answered function is called. */
  follow(): () => void {
    let over = false;
    this.#followers += 1;
    const look = () => void (document.visibilityState === 'visible' && this.look());
    const timer = setInterval(() => this.#observer === null && look(), EVERY);
    window.addEventListener('focus', look);
    void watchedRow()
      .then((row) => (over ? undefined : this.#begin(row)))
      .catch(() => undefined);
    return () => {
      over = true;
      clearInterval(timer);
      window.removeEventListener('focus', look);
      this.#followers -= 1;
      if (this.#followers === 0) this.#unobserve();
    };
  }

  /** By the browser's own dialog; it shows what may be read and asks. */
  async choose(): Promise<void> {
    const how = { id: 'photos', mode: 'read', startIn: 'pictures' } as const;
    const folder = await window.showDirectoryPicker?.(how).catch(() => null);
    if (folder) await this.watch(folder);
  }

  async watch(folder: FileSystemDirectoryHandle): Promise<void> {
    await this.#begin(await watchFolder(folder, Date.now() - BEFORE));
  }

  /** After a press: the browser may ask. */
  async askAgain(): Promise<void> {
    const answer = await this.#row?.folder.requestPermission({ mode: 'read' });
    if (answer === 'granted') await this.#begin(this.#row);
  }

  async stop(): Promise<void> {
    await forgetFolder();
    await this.#begin(undefined);
  }

  /** Added, or not wanted: not offered again. */
  async seen(pictures: PictureGroup['pictures']): Promise<void> {
    this.#row = await markPicturesSeen(pictures.map(({ key }) => key));
    await this.look();
  }

  look(): Promise<void> {
    // Asked while it looks: once more afterwards, because the file may have come behind it.
    this.#again = this.#looking !== null;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
      if (this.#again) void this.look();
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const row = this.#row;
    if (row === undefined || this.state === 'asks' || this.state === 'none') return;
    try {
      const found = await picturesIn(row.folder, row.since, new Set(row.seen));
      if (this.#row?.folder !== row.folder) return;
      this.groups = groupsByTime(found);
      this.state = 'watching';
    } catch {
      this.groups = [];
      this.state = 'gone';
    }
  }

  #unobserve(): void {
    this.#observer?.disconnect();
    this.#observer = null;
  }

  async #begin(row: WatchedRow | undefined): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    this.#unobserve();
    this.#row = row;
    this.groups = [];
    this.name = row?.folder.name ?? '';
    this.state = 'none';
    if (row === undefined) return;
    const may = await row.folder.queryPermission({ mode: 'read' });
    if (turn !== this.#turn) return;
    this.state = may === 'granted' ? 'watching' : 'asks';
    if (may !== 'granted') return;
    await this.look();
    await this.#observe(row.folder, () => turn === this.#turn && this.#followers > 0);
  }

  async #observe(folder: FileSystemDirectoryHandle, wanted: () => boolean): Promise<void> {
    if (!('FileSystemObserver' in globalThis) || !wanted()) return;
    const observer = new FileSystemObserver(() => void this.look());
    try {
      await observer.observe(folder, { recursive: true });
      // The form was left, or another folder chosen, while the browser was asked.
      if (wanted()) this.#observer = observer;
      else observer.disconnect();
    } catch {
      // Not of this folder: it is looked into twice a minute.
      observer.disconnect();
    }
  }
}
export const watchedFolder = new WatchedFolder();

/** The folder among what was dropped; to be called while the drop is being told. Null where there is none. */
export const droppedFolder = (
  dropped: DataTransfer | null,
): Promise<FileSystemDirectoryHandle | null> | null => {
  const item = [...(dropped?.items ?? [])].find((one) => one.webkitGetAsEntry()?.isDirectory);
  const handle = item?.getAsFileSystemHandle?.();
  if (handle === undefined) return null;
  return handle.then(
    (found) => (found?.kind === 'directory' ? (found as FileSystemDirectoryHandle) : null),
    () => null,
  );
};
