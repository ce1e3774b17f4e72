/**
 * 200 runs, each ended by SIGKILL among writes: whatever was answered is there once, no key without its record, the
 * database is sound (failures S3, S4). Killing a process says nothing about losing power.
 */
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { clientOf, spawnService, tempDir, type Client } from '../support/service.ts';
import { randomFrom } from './random.ts';
import type { Case } from './run.ts';

const RUNS = Number(process.env['SPOTTER_KILLS'] ?? 200);
const WRITERS = 8;

const create = (client: Client, name: string) =>
  client.post(
    '~/incidents/near_misses',
    { near_miss: { incident_id: 1, description: name } },
    { 'idempotency-key': name },
  );

/** What the database says against what was answered. */
const compare = (path: string, acknowledged: ReadonlyMap<string, number>): string[] => {
  const db = new SQLite(join(path, 'spotter.db'));
  try {
    const wrong: string[] = [];
    const sound = db.pragma('integrity_check', { simple: true });
    if (sound !== 'ok') wrong.push(`integrity_check: ${String(sound)}`);
    const rows = db
      .prepare("select id, description from near_misses where description like 'kill-%'")
      .all() as { id: number; description: string }[];
    const byName = new Map(rows.map(({ id, description }) => [description, id]));
    if (byName.size !== rows.length) wrong.push(`${rows.length - byName.size} records twice`);
    for (const [name, id] of acknowledged)
      if (byName.get(name) !== id)
        wrong.push(`${name}: answered ${id}, kept ${String(byName.get(name))}`);
    const keys = db.prepare("select key from idempotency_keys where key like 'kill-%'").all() as {
      key: string;
    }[];
    if (keys.length !== rows.length) wrong.push(`${keys.length} keys for ${rows.length} records`);
    return wrong;
  } finally {
    db.close();
  }
};

export const kills: Case = {
  name: 'service',
  title: 'SIGKILL among writes: nothing lost, nothing doubled',
  run: async (seed) => {
    const random = randomFrom(seed);
    const dir = tempDir('prove-kills');
    const path = join(dir.path, 'data');
    const acknowledged = new Map<string, number>();
    let unanswered: string[] = [];
    const failures: string[] = [];
    try {
      for (let run = 0; run < RUNS; run += 1) {
        const service = await spawnService(['--demo', '--port', '0', '--data-dir', path]);
        const client = clientOf(service.first.url, service.first);
        // Whatever an earlier run left without an answer is sent again with its key: once in all.
        for (const name of unanswered)
          acknowledged.set(name, (await create(client, name)).json.id as number);
        unanswered = [];
        const killAfter = 1 + Math.floor(random() * 60);
        let answered = 0;
        let killed: Promise<unknown> | undefined;
        const writer = async (index: number): Promise<void> => {
          for (let turn = 0; killed === undefined; turn += 1) {
            const name = `kill-${run}-${index}-${turn}`;
            const answer = await create(client, name).catch(() => null);
            if (answer?.status !== 201) return void unanswered.push(name);
            acknowledged.set(name, answer.json.id as number);
            answered += 1;
            if (answered === killAfter) killed = service.end('SIGKILL');
          }
        };
        await Promise.all(Array.from({ length: WRITERS }, (_, index) => writer(index)));
        await killed;
        failures.push(...compare(path, acknowledged).map((one) => `run ${run}: ${one}`));
      }
    } finally {
      dir.remove();
    }
    return { runs: RUNS, failures, note: `${acknowledged.size} records acknowledged` };
  },
};
