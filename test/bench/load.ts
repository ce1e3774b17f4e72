/** Sends requests to one address over a few persistent connections, each sending its next request after a complete answer. */
import { Client } from 'undici';

export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Load {
  /** Requests per second. */
  readonly rate: number;
  /** Median and 99th percentile of milliseconds from sending to the last byte. */
  readonly p50: number;
  readonly p99: number;
  /** Bytes of the last answer. */
  readonly bytes: number;
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/** @throws if an answer has another status than `status` */
export const load = async (
  url: string,
  connections: number,
  count: number,
  status: number,
  next: (index: number) => Request,
): Promise<Load> => {
  const times: number[] = [];
  let [taken, bytes] = [0, 0];
  const work = async (): Promise<void> => {
    const client = new Client(url, { pipelining: 1, keepAliveTimeout: 60_000 });
    try {
      while (taken < count) {
        const request = next(taken++);
        const began = performance.now();
        const answer = await client.request(request);
        const body = await answer.body.arrayBuffer();
        times.push(performance.now() - began);
        bytes = body.byteLength;
        if (answer.statusCode !== status)
          throw new Error(
            `${request.method} ${request.path} was answered ${answer.statusCode}: ${Buffer.from(body).toString().slice(0, 500)}`,
          );
      }
    } finally {
      await client.close();
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: Math.min(connections, count) }, work));
  const seconds = (performance.now() - began) / 1000;
  times.sort((a, b) => a - b);
  return { rate: count / seconds, p50: at(times, 0.5), p99: at(times, 0.99), bytes };
};
