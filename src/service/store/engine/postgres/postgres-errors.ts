/** Classifies PostgreSQL's errors: temporary or permanent. It uses codes, because messages are translated. */
import { DatabaseUnavailable } from '../db.ts';

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/**
 * 08 connection; 53 out of connections or memory (53100, disk full, keeps its own error); 57P0 shutting down; 57014 and 55P03
 * timeout; 25P03 and 25P04 session ended by the server; 25006 a standby; E… errors of the operating system.
 */
const UNAVAILABLE = /^(08|53[2-4]|57P0|57014|55P03|25P03|25P04|25006|E[A-Z]+$)/;

/** Errors that node-postgres raises without a code. */
const UNAVAILABLE_TEXT =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|Postgres connection has been discarded)/;

const isUnavailable = (error: unknown): boolean =>
  UNAVAILABLE.test(codeOf(error)) ||
  (error instanceof Error && UNAVAILABLE_TEXT.test(error.message));

/** Any failure to connect, including a changed password and a database that is closed or being moved. */
export const unreachable = (error: unknown): DatabaseUnavailable => {
  if (error instanceof DatabaseUnavailable) return error;
  // Node tries several addresses of a host and wraps the reasons in an AggregateError without a message.
  const reasons = error instanceof AggregateError ? error.errors : [error];
  const text = reasons.map((reason) => (reason instanceof Error ? reason.message : String(reason)));
  return new DatabaseUnavailable(text.join('; '), { cause: error });
};

/**
 * Converts temporary errors to DatabaseUnavailable. Serialization failures, constraint violations and bugs keep their own
 * error.
 */
export const translated = (error: unknown): unknown =>
  isUnavailable(error) ? unreachable(error) : error;
