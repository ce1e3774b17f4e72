/**
 * Bounds how long callers wait for the keychain. After a moment the result is `asking`. The system may be prompting its user
 * (macOS for a changed program, GNOME for a locked keyring), so callers continue and handle the answer later.
 */
import { setTimeout } from 'node:timers/promises';

/** Milliseconds. A slower answer waits for a person, or will never come. */
const MOMENT_MS = 5_000;

export const withinAMoment = async <T>(answer: Promise<T>): Promise<T | 'asking'> => {
  const over = new AbortController();
  const late = setTimeout(MOMENT_MS, 'asking' as const, { ref: false, signal: over.signal });
  late.catch(() => undefined); // the answer came in time
  try {
    return await Promise.race([answer, late]);
  } finally {
    over.abort();
  }
};
