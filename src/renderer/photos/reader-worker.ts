/** Reads the type and metadata of one file at a time for readers.ts. Decodes no pixels. */
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
