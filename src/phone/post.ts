/** How both pages send a message to the laptop that served them. */
import type { SenderParts } from './sender-types.ts';

/** Time limit of one request: a part over the slowest Wi-Fi that is still usable. */
const PATIENCE_MS = 40_000;

export const post: SenderParts['post'] = async (path, body) => {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), PATIENCE_MS);
  try {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      // Chromium is slow at sending large arrays, but not at sending a Blob.
      body: new Blob([body]),
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      signal: late.signal,
    });
    return { status: answer.status, body: new Uint8Array(await answer.arrayBuffer()) };
  } finally {
    clearTimeout(timer);
  }
};

export const random = (bytes: number): Uint8Array<ArrayBuffer> =>
  crypto.getRandomValues(new Uint8Array(bytes));

export const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));
