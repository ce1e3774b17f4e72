/** Reads one file at a time for readers.ts: what it is, what it says of itself. Nothing is decoded here. */
import { metadataOf } from './exif.ts';
import { look } from './formats/look.ts';
import type { ReaderJob } from './readers.ts';

self.addEventListener('message', ({ data: job }: MessageEvent<ReaderJob>) => {
  const read = job.kind === 'look' ? look(job.file) : metadataOf(job);
  read.then(
    (answer) => postMessage({ answer }),
    (error: unknown) => postMessage({ broke: String(error) }),
  );
});
