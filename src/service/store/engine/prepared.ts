/**
 * Builds queries once that run on every request: later calls only bind values. Building a query costs more than a lookup by
 * key.
 */
import type { Compilable, CompiledQuery } from 'kysely';
import type { Db } from './db.ts';

type Value = string | number | null;

class Mark {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A proxy that returns a placeholder for any property name. */
const marks = new Proxy({}, { get: (_target, name) => new Mark(String(name)) });

/**
 * `build` must not inspect the values, because it runs once with placeholders. Do not pass lists, or values that change the
 * shape of the query.
 */
export const prepared = <P extends Readonly<Record<string, Value>>, Row>(
  build: (db: Db, values: P) => Compilable<Row>,
): ((db: Db, values: P) => Promise<Row[]>) => {
  // Per dialect: one process may use SQLite and PostgreSQL.
  const ready = new Map<unknown, CompiledQuery<Row>>();
  return async (db, values) => {
    const dialect = db.getExecutor().adapter.constructor;
    let compiled = ready.get(dialect);
    if (!compiled) {
      compiled = build(db, marks as P).compile();
      ready.set(dialect, compiled);
    }
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Mark ? values[parameter.name] : parameter,
    );
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows;
  };
};
