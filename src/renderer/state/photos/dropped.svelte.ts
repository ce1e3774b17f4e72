/**
 * Handles an export that was dropped on the window or opened with Spotter. Passes it to the settings section that previews it
 * and asks before importing. A screen that accepts files (a form's photos, an operation's files) handles its own drops.
 */
import type { WindowAsk } from '../../../contract/asks.ts';
import { CHUNK_MAX } from '../../../contract/host.ts';
import { host } from '../../host/client.ts';
import { navigate, p } from '../../router.ts';
import { toasts } from '../toasts.svelte.ts';

/** Paths of screens that accept dropped files: the form, and files of an operation. */
const takesFiles = /^\/(?:new|near-misses\/[^/]+\/edit|time-and-material)(?:\/|$)/;

class Dropped {
  /** The file, until the settings section takes it. */
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

const SECTION = ['/settings/:section', { params: { section: 'everything' } }] as const;
const lookInto = async (file: File): Promise<void> => {
  dropped.file = file;
  await navigate(...SECTION);
};

/**
 * Reads an opened file from the host in chunks. An unreadable file becomes empty, and is then refused because it is not an
 * export. The section opens before a large file is read: a user who then goes elsewhere stays there.
 */
export const takeOpened = async ({
  key,
  name,
}: Extract<WindowAsk, { ask: 'import' }>): Promise<void> => {
  await navigate(...SECTION);
  // Use Blobs, because the browser keeps large ones on disk instead of in memory.
  const parts: Blob[] = [];
  for (let offset = 0; ;) {
    const part = await host.call('opened.read', { key, offset, length: CHUNK_MAX });
    const bytes = part.ok ? part.value.bytes : null;
    if (bytes === null) parts.length = 0;
    if (bytes === null || bytes.length === 0) break;
    parts.push(new Blob([bytes]));
    offset += bytes.length;
  }
  const file = new File(parts, name);
  if (`/${location.hash}` === p(...SECTION)) {
    dropped.file = file;
    return;
  }
  const { words } = await import('../../words/company-words.ts');
  const { opened, look } = words.settings.everything;
  toasts.show('info', opened(name), { label: look, run: () => void lookInto(file) });
};

/** Handles the window's `dragover` and `drop`. @param at path of the current screen */
export const takeDrop = (event: DragEvent, at: string): void => {
  if (!holdsFiles(event) || takesFiles.test(at)) return;
  // Otherwise the browser would navigate to the file.
  event.preventDefault();
  if (event.type !== 'drop') return;
  const [file, ...more] = event.dataTransfer?.files ?? [];
  if (file === undefined || more.length > 0 || !file.name.toLowerCase().endsWith('.zip')) return;
  void lookInto(file);
};
