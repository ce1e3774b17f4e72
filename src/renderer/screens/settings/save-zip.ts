/** Saves a zip stream as a file of the user, with progress in bytes and cancellation. */
import type { Export } from '../../outbox/transfer/export.ts';
import { saveBlob } from '../../parts/save.ts';

export interface Saving {
  readonly progress: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Hands the file to the browser's downloads.
 * @returns false if it was cancelled
 * @throws the errors of the stream
 */
export const saveZip = async (
  made: Pick<Export, 'response' | 'filename'>,
  { progress, signal }: Saving,
): Promise<boolean> => {
  const reader = made.response.body?.getReader();
  const parts: Blob[] = [];
  let bytes = 0;
  for (;;) {
    const part = await reader?.read();
    if (signal.aborted) {
      await reader?.cancel();
      return false;
    }
    if (part === undefined || part.done) break;
    bytes += part.value.length;
    // One Blob per chunk, because the browser keeps large ones on disk.
    parts.push(new Blob([part.value]));
    progress(bytes);
  }
  saveBlob(new Blob(parts), made.filename);
  return true;
};
