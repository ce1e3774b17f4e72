/**
 * The peer of `uploads`, in a process of its own: tus-js-client, which hashes nothing and reads nothing back. Its argument is the size of a request, 0 for
 * whole files. Each line of its input is `{url, paths, at_once}`; each is answered with the milliseconds until the last file was taken.
 */
import { createReadStream, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import * as tus from 'tus-js-client';

const chunk = Number(process.argv[2]);

const send = (endpoint, path) =>
  new Promise((resolve, reject) => {
    const upload = new tus.Upload(createReadStream(path), {
      endpoint,
      uploadSize: statSync(path).size,
      chunkSize: chunk === 0 ? Number.POSITIVE_INFINITY : chunk,
      // As often as it takes, and without a pause.
      retryDelays: Array.from({ length: 1000 }, () => 0),
      onSuccess: resolve,
      onError: reject,
    });
    upload.start();
  });

console.log(JSON.stringify({ ready: true }));
for await (const line of createInterface({ input: process.stdin })) {
  const { url, paths, at_once } = JSON.parse(line);
  const began = performance.now();
  const waiting = [...paths];
  const work = async () => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift())
      await send(`${url}/files`, path);
  };
  await Promise.all(Array.from({ length: Math.min(at_once, paths.length) }, work));
  console.log(JSON.stringify({ ms: performance.now() - began }));
}
