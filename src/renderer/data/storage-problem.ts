/** What a failure of the window's own database means to whoever was writing: a full disk, or a mistake of ours. */
import type { Problem } from '../../contract/problem.ts';

/** A failure of the window's own database, as a Problem. Nothing was written. */
export const storageProblem = (error: unknown): Problem => {
  // Chromium says a quota by name, or aborts the transaction at its commit and says it in the words; of a full disk it
  // says `Connection is closing because of: … FILE_ERROR_NO_SPACE`.
  if (/QuotaExceeded|NO_SPACE/.test(String(error)))
    return { kind: 'no_space', detail: 'window database' };
  return { kind: 'bug', detail: `window database: ${String(error)}` };
};
