/**
 * Watches a folder for new pictures while a form is open. Scans it on changes, when the window gets the focus, and twice a
 * minute if the browser cannot observe the folder.
 */
import {
  forgetFolder,
  markPicturesSeen,
  watchedRow,
  watchFolder,
  type WatchedRow,
} from '../../data/photos/watched-folder.ts';
import { isInSight } from '../../data/model/in-sight.ts';
import { groupsByTime, picturesIn, type PictureGroup } from '../../photos/folder.ts';

/** `asks`: the browser needs a user gesture first. `gone`: the folder is unreadable, such as a removed memory card. */
type FolderState = 'none' | 'asks' | 'watching' | 'gone';

/** Pictures from the day before are new, too, because they are the reason for choosing the folder. */
const BEFORE = 24 * 3_600_000;
const EVERY = 30_000;

class WatchedFolder {
  state = $state<FolderState>('none');
  name = $state('');
  groups = $state.raw<readonly PictureGroup[]>([]);
  /** True if this browser supports choosing a folder. */
  readonly possible = 'showDirectoryPicker' in globalThis;
  #row: WatchedRow | undefined;
  #observer: FileSystemObserver | null = null;
  #looking: Promise<void> | null = null;
  #again = false;
  /** Number of open forms. Nothing is watched at zero. */
  #followers = 0;
  /** Incremented when the folder changes or is removed. */
  #turn = 0;

  /** Watches while a form is open. Returns a function that stops watching. */
  follow(): () => void {
    let over = false;
    this.#followers += 1;
    const look = () => void (isInSight() && this.look());
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

  /** Opens the browser's folder picker, which also asks for permission. */
  async choose(): Promise<void> {
    const how = { id: 'photos', mode: 'read', startIn: 'pictures' } as const;
    const folder = await window.showDirectoryPicker?.(how).catch(() => null);
    if (folder) await this.watch(folder);
  }

  async watch(folder: FileSystemDirectoryHandle): Promise<void> {
    await this.#begin(await watchFolder(folder, Date.now() - BEFORE));
  }

  /** Asks for permission again. Needs a user gesture. */
  async askAgain(): Promise<void> {
    const answer = await this.#row?.folder.requestPermission({ mode: 'read' });
    if (answer === 'granted') await this.#begin(this.#row);
  }

  async stop(): Promise<void> {
    await forgetFolder();
    await this.#begin(undefined);
  }

  /** Marks pictures as added or dismissed, so that they are not offered again. */
  async seen(pictures: PictureGroup['pictures']): Promise<void> {
    this.#row = await markPicturesSeen(pictures.map(({ key }) => key));
    await this.look();
  }

  look(): Promise<void> {
    // A request during a scan triggers one more scan, because the file may have arrived after its place was read.
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
      // The form was closed or the folder changed while the observer started.
      if (wanted()) this.#observer = observer;
      else observer.disconnect();
    } catch {
      // This folder cannot be observed, so it is polled twice a minute.
      observer.disconnect();
    }
  }
}
export const watchedFolder = new WatchedFolder();

/** The dropped folder, or null if there is none. Must be called synchronously in the drop event. */
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
