/**
 * An export that is dropped on the window: taken to the part of the settings that looks into it and asks before anything is taken over.
 * Where a screen takes files itself (a form's photos, an entry's files), the drop is that screen's.
 */
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

/** For `dragover` and `drop` of the window. @param at where the window is */
export const takeDrop = (event: DragEvent, at: string): void => {
  if (!holdsFiles(event) || takesFiles.test(at)) return;
  // A browser would leave the window for the file.
  event.preventDefault();
  if (event.type !== 'drop') return;
  const [file, ...more] = event.dataTransfer?.files ?? [];
  if (file === undefined || more.length > 0 || !file.name.toLowerCase().endsWith('.zip')) return;
  dropped.file = file;
  void navigate('/settings/:section', { params: { section: 'everything' } });
};
