/**
 * Checks every page of a SQLite database in a worker thread, on a read-only connection: a large file takes seconds and must not
 * block requests. It checks table by table, so that the thread can be stopped in between. It must use the service's SQLite
 * library: a second one in this process would drop its locks (disk/lock.ts). Started by page-check.ts.
 */
import { parentPort, workerData } from 'node:worker_threads';
import SQLite from 'better-sqlite3';

/** The first error found, or null. */
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
