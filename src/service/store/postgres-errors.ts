/** Which of PostgreSQL's errors mean "not now" rather than "never": by code, for texts are translated. */
import { DatabaseUnavailable } from './db.ts';

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/**
 * 08 connection, 53 out of connections or memory (53100, a full disk, is told as that), 57P0 shutting down, 57014 and 55P03
 * out of time, 25P03 and 25P04 ended from outside, 25006 a standby; E… the operating system's.
 */
const UNAVAILABLE = /^(08|53[2-4]|57P0|57014|55P03|25P03|25P04|25006|E[A-Z]+$)/;

/** node-postgres says these without a code. */
const UNAVAILABLE_TEXT =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|Postgres connection has been discarded)/;

const isUnavailable = (error: unknown): boolean =>
  UNAVAILABLE.test(codeOf(error)) ||
  (error instanceof Error && UNAVAILABLE_TEXT.test(error.message));

/** Whatever kept a connection from being made: also a password that was changed, a database that is closed or being moved. */
export const unreachable = (error: unknown): DatabaseUnavailable => {
  if (error instanceof DatabaseUnavailable) return error;
  // Node tries several addresses of a name, and puts the reasons into one error without a text.
  const reasons = error instanceof AggregateError ? error.errors : [error];
  const text = reasons.map((reason) => (reason instanceof Error ? reason.message : String(reason)));
  return new DatabaseUnavailable(text.join('; '), { cause: error });
};

/** What the rest of the service is told. Retries, constraints and bugs keep their own error. */
export const told = (error: unknown): unknown =>
  isUnavailable(error) ? unreachable(error) : error;
