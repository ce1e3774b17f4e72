/** A zip as it is made, to a file of the user: counts its bytes on the way, and stops when told to. */
import type { Export } from '../../outbox/export.ts';
import { saveBlob } from '../../parts/save.ts';

export interface Saving {
  readonly progress: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/** Hands the file to the browser's downloads; false where it was stopped. @throws what the stream throws */
export const saveZip = async (made: Export, { progress, signal }: Saving): Promise<boolean> => {
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
    // A Blob each: the browser keeps what is large on disk.
    parts.push(new Blob([part.value]));
    progress(bytes);
  }
  saveBlob(new Blob(parts), made.filename);
  return true;
};
