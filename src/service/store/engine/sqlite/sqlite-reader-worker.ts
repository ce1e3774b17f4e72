/**
 * Runs slow read statements in a worker thread, one after the other, on a read-only connection. Each statement sees the data
 * committed when it starts. It must use the service's SQLite library: a second one in this process would drop its locks
 * (disk/lock.ts). Started by sqlite-reader.ts.
 */
import { parentPort, workerData } from 'node:worker_threads';
import SQLite from 'better-sqlite3';

export interface Question {
  readonly id: number;
  readonly sql: string;
  readonly parameters: readonly unknown[];
}
export type Reply = { readonly id: number } & (
  { readonly rows: readonly unknown[] } | { readonly code: string; readonly message: string }
);

const db = new SQLite(String(workerData), { readonly: true, fileMustExist: true });
db.pragma('busy_timeout = 0');

const answer = ({ id, sql, parameters }: Question): Reply => {
  try {
    return { id, rows: db.prepare(sql).all(...parameters) };
  } catch (error) {
    const { code = '', message } = error as { readonly code?: string; readonly message: string };
    return { id, code, message };
  }
};

/** Null ends the thread. */
parentPort?.on('message', (question: Question | null) => {
  if (question !== null) {
    parentPort?.postMessage(answer(question));
    return;
  }
  db.close();
  parentPort?.close();
});
