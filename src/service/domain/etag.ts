/** [ours] `If-Match`: strong comparison (decisions §1.7; RFC 9110 §13.1.1). */
import { preconditionFailed } from './problem.ts';

/** A record's ETag: its version counts every change. */
export const versionTag = (id: number, version: number): string => `"${id}-${version}"`;

/** @throws Refusal 412 when the header names other versions than the one there is. */
export const requireMatch = (if_match: string | undefined, etag: string): void => {
  if (if_match === undefined || if_match.trim() === '*') return;
  if (!if_match.split(',').some((one) => one.trim() === etag)) throw preconditionFailed();
};
