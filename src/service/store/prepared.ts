/**
 * Queries that run on every request, built once: Kysely writes the SQL the first time, later calls only bind values.
 * Building costs more than running for a row found by its key.
 */
import type { Compilable, CompiledQuery } from 'kysely';
import type { Db } from './db.ts';

type Value = string | number | null;

/** Stands where a value will be bound. */
class Mark {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Every name asked of it is a mark of that name. */
const marks = new Proxy({}, { get: (_target, name) => new Mark(String(name)) });

/**
 * `build` writes the query with the values it is given; it must not look at them, for the first call gives it marks. A list
 * of values, or a value that changes the query's shape, does not belong here.
 */
export const prepared = <P extends Readonly<Record<string, Value>>, Row>(
  build: (db: Db, values: P) => Compilable<Row>,
): ((db: Db, values: P) => Promise<Row[]>) => {
  // By dialect: one process may hold a SQLite and a PostgreSQL database.
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
