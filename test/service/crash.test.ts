/**
 * SIGKILL while writing: failures S3, S4. A short form; the seed is printed by the failing message and can be set with
 * SPOTTER_SEED. Killing a process says nothing about losing power.
 */
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { databaseOf, onPostgres } from '../support/database.ts';
import { clientOf, spawnService, tempDir } from '../support/service.ts';

const dir = tempDir('crash');
afterAll(() => dir.remove());

const ROUNDS = 5;
const WRITERS = 8;
const seed = Number(process.env['SPOTTER_SEED'] ?? Date.now() % 1_000_000);

/** A small deterministic generator: the moment of each kill follows from the seed. */
const randomFrom = (start: number): (() => number) => {
  let state = start >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
};

describe('failures S3, S4: SIGKILL during writes', () => {
  it(`failures S3, S4: every acknowledged write is there once, and no key without its record (seed ${seed})`, async () => {
    const random = randomFrom(seed);
    const path = join(dir.path, 'data');
    const acknowledged = new Map<string, number>();
    const sent = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const service = await spawnService(['--demo', '--port', '0', '--data-dir', path]);
      const client = clientOf(service.first.url, service.first);
      const create = (name: string) =>
        client.post(
          '~/incidents/near_misses',
          { near_miss: { incident_id: 1, description: name } },
          { 'idempotency-key': name },
        );
      // Whatever an earlier round left without an answer is sent again with its key: once in all.
      for (const name of sent)
        if (!acknowledged.has(name)) acknowledged.set(name, (await create(name)).json.id);
      const killAfter = 5 + Math.floor(random() * 60);
      let answered = 0;
      let killed: Promise<unknown> | undefined;
      const writer = async (index: number): Promise<void> => {
        for (let turn = 0; killed === undefined; turn += 1) {
          const name = `crash-${round}-${index}-${turn}`;
          sent.add(name);
          const answer = await create(name).catch(() => null);
          if (answer?.status !== 201) return;
          acknowledged.set(name, answer.json.id);
          answered += 1;
          if (answered === killAfter) killed = service.end('SIGKILL');
        }
      };
      await Promise.all(Array.from({ length: WRITERS }, (_, index) => writer(index)));
      await killed;
    }
    const { query } = await databaseOf(path);
    if (!onPostgres) {
      expect(await query('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
      expect(await query('pragma foreign_key_check')).toEqual([]);
    }
    const rows = (await query(
      "select id, description from near_misses where description like 'crash-%'",
    )) as { id: number; description: string }[];
    const byName = new Map(rows.map(({ id, description }) => [description, id]));
    expect(byName.size, 'no name twice').toBe(rows.length);
    for (const [name, id] of acknowledged) expect(byName.get(name), name).toBe(id);
    const keys = (await query("select key from idempotency_keys where key like 'crash-%'")) as {
      key: string;
    }[];
    expect(keys.map(({ key }) => key).sort()).toEqual([...byName.keys()].sort());
    const [events] = await query(
      `select count(*) as n from events where resource_id in (select id from near_misses where description like 'crash-%') and resource_name = 'Near Misses'`,
    );
    expect(events?.['n']).toBe(rows.length);
  }, 120_000);
});
