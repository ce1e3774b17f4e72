/**
 * Inspects a file of any format. The readers run in a worker with a deadline, because a file may come from anybody. A
 * reader that times out or crashes is terminated; the file is then unknown, and an unknown size counts as too large.
 */
import { fileType, HEAD_BYTES } from '../../../contract/file-type.ts';
import { askReader, patienceFor } from '../readers.ts';
import type { Inspection } from './inspection.ts';
import { nothing } from './nothing.ts';

/** Never fails: a damaged or too slow file is `unsafe`, and an unknown one has no type. */
export const inspect = async (
  file: Blob,
  patience = patienceFor(file.size),
): Promise<Inspection> => {
  const seen = await askReader<Inspection>({ kind: 'look', file }, patience);
  if (seen !== null) return seen;
  const head = file.slice(0, HEAD_BYTES).arrayBuffer();
  const type = await head.then(
    (bytes) => fileType(new Uint8Array(bytes)),
    () => null,
  );
  return { type, ...nothing, stripped: { kind: 'unsafe', reason: 'stopped' } };
};
