/** A diagnostic message from the host to its shell. Contains facts only: never a token, a record's text or a photo's bytes. */
export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly [fact: string]: string | number | boolean | null | undefined;
}
export type Log = (line: LogLine) => void;

/** Short description of an error, for `detail` fields and the log. */
export const wordsOf = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 500);

/** The system's error code (`ENOSPC`, `ECONNREFUSED`), searched through causes. '' if there is none. */
export const codeOf = (error: unknown): string => {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth += 1) {
    const code = 'code' in at ? at.code : undefined;
    if (typeof code === 'string') return code;
    if (at instanceof AggregateError && at.errors.length > 0) return codeOf(at.errors[0]);
  }
  return '';
};
