/** [ours] ETags, and `If-Match`: strong comparison (decisions §1.7; RFC 9110 §13.1.1). */
import { createHash } from 'node:crypto';
import { preconditionFailed } from './problem.ts';

/** A record's ETag: its version counts every change. */
export const versionTag = (id: number, version: number): string => `"${id}-${version}"`;

/** The ETag of a text that went out. */
export const textTag = (...texts: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  return `"${hash.digest('base64url').slice(0, 27)}"`;
};

/** The ETag of what keeps no count of its changes: of its content. */
export const contentTag = (content: unknown): string => textTag(JSON.stringify(content));

/** @throws Refusal 412 when the header names other versions than the one there is. */
export const requireMatch = (if_match: string | undefined, etag: string): void => {
  if (if_match === undefined || if_match.trim() === '*') return;
  if (!if_match.split(',').some((one) => one.trim() === etag)) throw preconditionFailed();
};
