/**
 * Looks through every page of a SQLite database in a thread of its own, on a connection of its own that only reads: a large
 * file takes seconds, and nobody waits for them. Table by table, so that the thread can be ended in between. By the same
 * library as the service: another one in this process would drop its locks (disk/lock.ts). page-check.ts starts it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import SQLite from 'better-sqlite3';

/** What is wrong, null where nothing is. */
export type Damage = string | null;

const damageIn = (db: SQLite.Database): Damage => {
  const tables = db
    .prepare<[], string>(`select name from sqlite_schema where type = 'table' and rootpage > 0`)
    .pluck()
    .all();
  for (const table of ['sqlite_schema', ...tables]) {
    const said = String(db.pragma(`quick_check("${table}")`, { simple: true }));
    if (said !== 'ok') return `${table}: ${said}`;
  }
  return null;
};

const check = (path: string): Damage => {
  const db = new SQLite(path, { readonly: true, fileMustExist: true });
  try {
    return damageIn(db);
  } catch (error) {
    const { code, message } = error as { readonly code?: string; readonly message: string };
    if (/^SQLITE_(CORRUPT|NOTADB)/.test(code ?? '')) return message;
    throw error;
  } finally {
    db.close();
  }
};

parentPort?.postMessage(check(String(workerData)));
