/** The list's index when it is no longer reliable, with the worker and database that the screen uses. */
import { Dexie } from 'dexie';
import { ulid } from 'ulid';
import { expect, it } from 'vitest';
import { channelOf } from '../../../src/renderer/data/db/changes.ts';
import { createDb, type SpotterDb } from '../../../src/renderer/data/db/db.ts';
import { indexOf } from '../../../src/renderer/data/index/near-miss-index.ts';
import { askedForAll } from '../../../src/renderer/data/model/near-miss-query.ts';
import { emptyFields, rowOf } from '../../../src/renderer/data/model/near-miss-rows.ts';

const scope = { account: 'https://a.example#1#ann', project_id: 10 };
const put = (db: SpotterDb) =>
  db.near_misses.put(
    rowOf(
      {
        ...scope,
        key: ulid(),
        company_id: 1,
        server_id: null,
        server: null,
        created_at: 1,
        updated_at: 1,
        seen_at: 1,
        removed_at: null,
        fields: { ...emptyFields, incident_id: 1 },
      },
      null,
    ),
  );
const total = async (db: SpotterDb) => {
  const index = indexOf(db, scope);
  await expect
    .poll(async () => (await index.ask(askedForAll, 'all', false, { from: 0, to: 9 }))?.ready)
    .toBe(true);
  return (await index.ask(askedForAll, 'all', false, { from: 0, to: 9 }))?.total;
};

it('what cannot be read after the list was there is told, and the next index knows it all', async () => {
  const name = `index-${ulid()}`;
  const db = createDb(name);
  await db.open();
  await put(db);
  expect(await total(db)).toBe(1);
  const first = indexOf(db, scope);
  const told: string[] = [];
  first.listen(({ failed }) => failed !== undefined && told.push(failed));

  db.close();
  await Dexie.delete(name);
  const channel = new BroadcastChannel(channelOf(name));
  channel.postMessage(['any']);
  channel.close();
  await expect.poll(() => told).toHaveLength(1);
  expect(first.failed).toBe(true);

  const again = createDb(name);
  await again.open();
  await put(again);
  await put(again);
  expect(await total(again)).toBe(2);
  expect(indexOf(again, scope)).not.toBe(first);
  again.close();
  await Dexie.delete(name);
});
