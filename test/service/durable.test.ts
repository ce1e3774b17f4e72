/** SQLite's durability settings: an acknowledged write has left the disk's own cache too; on macOS only if asked for. */
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { openSqlite } from '../../src/service/store/engine/sqlite/sqlite.ts';
import { tempDir } from '../support/service.ts';

it('an answered write is on the disk: WAL, synchronous full, and macOS flushes its disk', async () => {
  const folder = tempDir('durable');
  onTestFinished(() => folder.remove());
  const store = await openSqlite(folder.path, 1000);
  onTestFinished(() => store.close());
  const told = await store.write(async (db) => {
    const names = ['journal_mode', 'synchronous', 'fullfsync', 'checkpoint_fullfsync'];
    const all: unknown[] = [];
    for (const name of names) {
      const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db);
      all.push(Object.values(rows[0] ?? {})[0]);
    }
    return all;
  });
  expect(told).toEqual(['wal', 2, 1, 1]);
});
