/**
 * SQLite blocks the calling thread, and with it every request. Slow statements (sorting or searching many records) therefore
 * run in a worker thread (sqlite-reader-worker.ts). It starts on demand and ends when idle.
 */
import { Worker } from 'node:worker_threads';
import {
  SqliteDialect,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely';
import { ownProgram } from '../../../../disk/own-program.ts';
import { type SqliteState, waitingDriver } from './sqlite-waiting.ts';
import type { Question, Reply } from './sqlite-reader-worker.ts';

/** Milliseconds without a query after which the thread ends and frees its memory. */
const IDLE = 30_000;

interface Asked {
  readonly resolve: (rows: readonly unknown[]) => void;
  readonly reject: (error: Error) => void;
}

/** Starts the thread on demand, and again after it has ended for any reason. */
class Reader {
  readonly #path: string;
  readonly #asked = new Map<number, Asked>();
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | null = null;
  #last = 0;

  constructor(path: string) {
    this.#path = path;
  }

  #begin(): Worker {
    const worker = new Worker(ownProgram('sqlite-reader-worker', import.meta.url), {
      workerData: this.#path,
      execArgv: [],
    });
    const lost = (error: Error): void => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      for (const { reject } of this.#asked.values()) reject(error);
      this.#asked.clear();
    };
    worker.on('message', (reply: Reply) => {
      const asked = this.#asked.get(reply.id);
      this.#asked.delete(reply.id);
      if ('rows' in reply) asked?.resolve(reply.rows);
      else asked?.reject(Object.assign(new Error(reply.message), { code: reply.code }));
      if (this.#asked.size === 0) this.#rest(worker);
    });
    worker.once('error', (error) => lost(error instanceof Error ? error : new Error('no reader')));
    worker.once('exit', () => lost(new Error('the reading thread ended')));
    return worker;
  }

  #rest(worker: Worker): void {
    worker.unref();
    this.#idle = setTimeout(() => void this.end(), IDLE).unref();
  }

  ask(sql: string, parameters: readonly unknown[]): Promise<readonly unknown[]> {
    if (this.#idle) clearTimeout(this.#idle);
    this.#idle = null;
    const worker = (this.#worker ??= this.#begin());
    worker.ref();
    const question: Question = { id: (this.#last += 1), sql, parameters };
    return new Promise((resolve, reject) => {
      this.#asked.set(question.id, { resolve, reject });
      worker.postMessage(question);
    });
  }

  /** Call it only when no query is pending. */
  async end(): Promise<void> {
    if (this.#idle) clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = null;
    if (worker === null) return;
    const gone = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage(null);
    await gone;
  }
}

class ReaderConnection implements DatabaseConnection {
  readonly #reader: Reader;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return { rows: (await this.#reader.ask(sql, parameters)) as R[] };
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('what is read in a thread comes as a whole');
  }
}

const onlyReads = (): Promise<never> => Promise.reject(new Error('this connection only reads'));

const readerDriver = (path: string): Driver => {
  const reader = new Reader(path);
  const connection = new ReaderConnection(reader);
  return {
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: onlyReads,
    commitTransaction: onlyReads,
    rollbackTransaction: onlyReads,
    releaseConnection: () => Promise.resolve(),
    destroy: () => reader.end(),
  };
};

export class ReaderDialect extends SqliteDialect {
  readonly #path: string;
  readonly #state: SqliteState;

  constructor(path: string, state: SqliteState) {
    super({ database: () => Promise.reject(new Error('the thread opens it')) });
    this.#path = path;
    this.#state = state;
  }

  override createDriver(): Driver {
    return waitingDriver(readerDriver(this.#path), this.#state);
  }
}
