/**
 * The one door to every format: the readers run in a worker with a deadline, because a file may come from anybody. One that is
 * silent for too long or breaks is ended; of its file nothing is known then, and an unknown size is a too large one.
 */
import { fileType, HEAD_BYTES } from '../../../contract/file-type.ts';
import { askReader, patienceFor } from '../readers.ts';
import type { Inspection } from './inspection.ts';
import { nothing } from './nothing.ts';

/** Never fails: a file whose structure is broken, or that takes too long, is `unsafe`; one of no known kind has no type. */
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
