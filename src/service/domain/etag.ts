/** [ours] ETags and `If-Match`, with strong comparison (decisions §1.7; RFC 9110 §13.1.1). */
import { createHash } from 'node:crypto';
import { preconditionFailed } from './problem.ts';

/**
 * A record's ETag. It includes the time of the change, because a restored database reuses version numbers. The tag of a lost
 * change must not match a later state.
 */
export const versionTag = ({ id, version, updated_at }: Versioned): string =>
  `"${id}-${version}-${updated_at.toString(36)}"`;

interface Versioned {
  readonly id: number;
  readonly version: number;
  /** Milliseconds since the epoch. */
  readonly updated_at: number;
}

export const textTag = (...texts: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  return `"${hash.digest('base64url').slice(0, 27)}"`;
};

/** The ETag of content without a version. */
export const contentTag = (content: unknown): string => textTag(JSON.stringify(content));

/** @throws Refusal 412 if the header names only other versions */
export const requireMatch = (if_match: string | undefined, etag: string): void => {
  if (if_match === undefined || if_match.trim() === '*') return;
  if (!if_match.split(',').some((one) => one.trim() === etag)) throw preconditionFailed();
};
