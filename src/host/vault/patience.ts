/**
 * How long anybody waits for the keychain: a moment, then `asking`. A system that asks its user (macOS for a changed program, GNOME
 * for a locked ring) answers when the user does; whoever waits goes on without it and hears the answer later.
 */
import { setTimeout } from 'node:timers/promises';

/** What answers later than this is waiting for a person, or for nothing. */
const MOMENT_MS = 5_000;

export const withinAMoment = async <T>(answer: Promise<T>): Promise<T | 'asking'> => {
  const over = new AbortController();
  const late = setTimeout(MOMENT_MS, 'asking' as const, { ref: false, signal: over.signal });
  late.catch(() => undefined); // it was answered in time
  try {
    return await Promise.race([answer, late]);
  } finally {
    over.abort();
  }
};
