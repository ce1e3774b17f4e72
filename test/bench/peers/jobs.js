/** Shared code of the sending peers of `uploads`. */
import { createInterface } from 'node:readline';

/**
 * Answers each input line, `{url, paths, at_once}`, with the milliseconds until the last file was accepted. @param send sends
 * one file
 */
export const answerJobs = async (send) => {
  console.log(JSON.stringify({ ready: true }));
  for await (const line of createInterface({ input: process.stdin })) {
    const { url, paths, at_once } = JSON.parse(line);
    const began = performance.now();
    const waiting = [...paths];
    const work = async () => {
      for (let path = waiting.shift(); path !== undefined; path = waiting.shift())
        await send(url, path);
    };
    await Promise.all(Array.from({ length: Math.min(at_once, paths.length) }, work));
    console.log(JSON.stringify({ ms: performance.now() - began }));
  }
};
