/**
 * The peer of `uploads` and `cut-uploads` in a separate process: tus-js-client, which neither hashes nor verifies. Its argument
 * is the size of a request, 0 for whole files.
 */
import { createReadStream, statSync } from 'node:fs';
import * as tus from 'tus-js-client';
import { answerJobs } from './jobs.js';

const chunk = Number(process.argv[2]);

await answerJobs(
  (url, path) =>
    new Promise((resolve, reject) => {
      const upload = new tus.Upload(createReadStream(path), {
        endpoint: `${url}/files`,
        uploadSize: statSync(path).size,
        chunkSize: chunk === 0 ? Number.POSITIVE_INFINITY : chunk,
        // Unlimited retries without a pause.
        retryDelays: Array.from({ length: 1000 }, () => 0),
        onSuccess: resolve,
        onError: reject,
      });
      upload.start();
    }),
);
