/** Writes one part to a temporary file, in batches, and gives it its name when all of it is on the disk. */
import type { FileHandle } from 'node:fs/promises';
import { giveBack } from '../../../disk/release-buffer.ts';
import { removeFile } from '../../../disk/retry-busy-file.ts';
import { NoRoom, type IncomingPart } from '../file-store.ts';
import { withRoom } from './disk-errors.ts';

/** Bytes per batched write: fewer, larger writes are faster. */
const BATCH = 512 * 1024;

/** `writev` may write less than it was given, for instance just before the disk is full, so loop. */
const writeAll = async (handle: FileHandle, batch: readonly Uint8Array[]): Promise<void> => {
  let rest = [...batch];
  while (rest.length > 0) {
    let { bytesWritten } = await handle.writev(rest);
    if (bytesWritten === 0) throw new NoRoom('the disk of the file store takes no more bytes');
    while (rest[0] && bytesWritten >= rest[0].byteLength) {
      bytesWritten -= rest[0].byteLength;
      rest = rest.slice(1);
    }
    if (rest[0] && bytesWritten > 0) rest = [rest[0].subarray(bytesWritten), ...rest.slice(1)];
  }
};

/** @param place moves the temporary file to its place */
export const incomingPart = (
  handle: FileHandle,
  temporary: string,
  place: (temporary: string) => Promise<void>,
): IncomingPart => {
  let batch: Uint8Array[] = [];
  let spentOnes: Uint8Array[] = [];
  let batched = 0;
  let writing: Promise<void> = Promise.resolve();
  let open = true;

  const flush = async (): Promise<void> => {
    await writing; // one batch being written and one filling: this bounds the memory of a request
    const [full, done] = [batch, spentOnes];
    [batch, spentOnes] = [[], []];
    batched = 0;
    writing = withRoom(() => writeAll(handle, full)).then(() => done.forEach(giveBack));
    writing.catch(() => undefined); // handled by the next await
  };
  const close = async (): Promise<void> => {
    if (!open) return;
    open = false;
    await handle.close();
  };

  return {
    write: async (chunk, spent = false) => {
      batch.push(chunk);
      if (spent) spentOnes.push(chunk);
      batched += chunk.byteLength;
      if (batched >= BATCH) await flush();
    },
    commit: async () => {
      await flush();
      await writing;
      await withRoom(() => handle.datasync());
      await close();
      await withRoom(() => place(temporary));
    },
    abandon: async () => {
      await writing.catch(() => undefined);
      await close();
      await removeFile(temporary);
    },
  };
};
