/** Reads one CSV file in a thread of its own: a file of anybody's never holds up the window. */
import { readCsv } from './csv-read.ts';

self.addEventListener('message', ({ data }: MessageEvent<Uint8Array>) =>
  postMessage(readCsv(data)),
);
