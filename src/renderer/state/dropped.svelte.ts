/**
 * An export that is dropped on the window, or was opened with Spotter: taken to the part of the settings that looks into it and asks before anything is taken over.
 * Where a screen takes files itself (a form's photos, an entry's files), the drop is that screen's.
 */
import type { WindowAsk } from '../../contract/asks.ts';
import { CHUNK_MAX } from '../../contract/host.ts';
import { host } from '../host/client.ts';
import { navigate } from '../router.ts';

/** Screens that take dropped files: the form, and files of an entry. */
const takesFiles = /^\/(?:new|near-misses\/[^/]+\/edit|time-and-material)(?:\/|$)/;

class Dropped {
  /** Waits for the part of the settings that asks. */
  file = $state.raw<File | null>(null);

  take(): File | null {
    const { file } = this;
    this.file = null;
    return file;
  }
}
export const dropped = new Dropped();

const holdsFiles = (event: DragEvent): boolean =>
  event.dataTransfer?.types.includes('Files') ?? false;

const lookInto = async (file: File): Promise<void> => {
  dropped.file = file;
  await navigate('/settings/:section', { params: { section: 'everything' } });
};

/** A file that was opened with Spotter, read part by part from the host. One that cannot be read is empty, and refused as no export. */
export const takeOpened = async ({
  key,
  name,
}: Extract<WindowAsk, { ask: 'import' }>): Promise<void> => {
  // A Blob each: the browser keeps what is large on disk, not here.
  const parts: Blob[] = [];
  for (let offset = 0; ;) {
    const part = await host.call('opened.read', { key, offset, length: CHUNK_MAX });
    const bytes = part.ok ? part.value.bytes : null;
    if (bytes === null) parts.length = 0;
    if (bytes === null || bytes.length === 0) break;
    parts.push(new Blob([bytes]));
    offset += bytes.length;
  }
  await lookInto(new File(parts, name));
};

/** For `dragover` and `drop` of the window. @param at where the window is */
export const takeDrop = (event: DragEvent, at: string): void => {
  if (!holdsFiles(event) || takesFiles.test(at)) return;
  // A browser would leave the window for the file.
  event.preventDefault();
  if (event.type !== 'drop') return;
  const [file, ...more] = event.dataTransfer?.files ?? [];
  if (file === undefined || more.length > 0 || !file.name.toLowerCase().endsWith('.zip')) return;
  void lookInto(file);
};
