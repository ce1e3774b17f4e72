/** Classifies a failure of the window's database: a full disk, or a bug. */
import type { Problem } from '../../../contract/problem.ts';

/** Converts a database failure to a Problem. Nothing was written. */
export const storageProblem = (error: unknown): Problem => {
  // Chromium names a quota error, or aborts the transaction at its commit and mentions the quota in the message. For
  // a full disk it reports `Connection is closing because of: … FILE_ERROR_NO_SPACE`.
  if (/QuotaExceeded|NO_SPACE/.test(String(error)))
    return { kind: 'no_space', detail: 'window database' };
  return { kind: 'bug', detail: `window database: ${String(error)}` };
};
