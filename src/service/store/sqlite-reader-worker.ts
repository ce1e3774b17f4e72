/**
 * Runs statements that may take long in a thread of its own, on a connection of its own that only reads: what is committed when a statement begins is
 * what it sees. One after the other. By the same library as the service: another one in this process would drop its locks (disk/lock.ts). sqlite-reader.ts starts it.
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

/** Null: no more will be asked. */
parentPort?.on('message', (question: Question | null) => {
  if (question !== null) {
    parentPort?.postMessage(answer(question));
    return;
  }
  db.close();
  parentPort?.close();
});
