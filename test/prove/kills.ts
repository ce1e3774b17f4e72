/**
 * 200 runs, each ended by SIGKILL during writes: everything acknowledged is there once, no key or event lacks its record, the
 * database is intact (failures S3, S4). Killing a process says nothing about losing power. test/service/crash.test.ts is the
 * short form, on both databases.
 */
import { join } from 'node:path';
import { databaseOf, onPostgres } from '../support/database.ts';
import { bareDemo, clientOf, spawnService, tempDir, type Client } from '../support/service.ts';
import { randomFrom } from './random.ts';
import type { Case, Outcome } from './run.ts';

const RUNS = Number(process.env['SPOTTER_KILLS'] ?? 200);
const WRITERS = 8;

const create = (client: Client, name: string) =>
  client.post(
    '~/incidents/near_misses',
    { near_miss: { incident_id: 1, description: name } },
    { 'idempotency-key': name },
  );

/** SQLite's own integrity checks. */
const damage = async (path: string): Promise<string[]> => {
  if (onPostgres) return [];
  const { query } = await databaseOf(path);
  const [sound] = await query('pragma integrity_check');
  const foreign = await query('pragma foreign_key_check');
  return [
    ...(sound?.['integrity_check'] === 'ok' ? [] : [`integrity_check: ${JSON.stringify(sound)}`]),
    ...(foreign.length === 0 ? [] : [`foreign_key_check: ${JSON.stringify(foreign)}`]),
  ];
};

/** Compares the database with the acknowledged answers. */
const compare = async (
  path: string,
  acknowledged: ReadonlyMap<string, number>,
): Promise<string[]> => {
  const { query } = await databaseOf(path);
  const wrong = await damage(path);
  const rows = await query(
    "select id, description from near_misses where description like 'kill-%'",
  );
  const byName = new Map(rows.map(({ id, description }) => [description, id]));
  if (byName.size !== rows.length) wrong.push(`${rows.length - byName.size} records twice`);
  for (const [name, id] of acknowledged)
    if (byName.get(name) !== id)
      wrong.push(`${name}: answered ${id}, kept ${String(byName.get(name))}`);
  const keys = await query("select key from idempotency_keys where key like 'kill-%'");
  const unkept = keys.filter(({ key }) => !byName.has(key));
  if (unkept.length > 0 || keys.length !== rows.length)
    wrong.push(`${keys.length} keys for ${rows.length} records`);
  const [events] = await query(
    `select count(*) as n from events where resource_name = 'Near Misses' and resource_id in
       (select id from near_misses where description like 'kill-%')`,
  );
  if (events?.['n'] !== rows.length)
    wrong.push(`${String(events?.['n'])} events for ${rows.length} records`);
  return wrong;
};

/** Runs a service `runs` times on one folder, killing it after a few more writes each, by `seed`. */
export const killRuns = async (seed: number, runs: number): Promise<Outcome> => {
  const random = randomFrom(seed);
  const dir = tempDir('prove-kills');
  const path = join(dir.path, 'data');
  const acknowledged = new Map<string, number>();
  const unanswered: string[] = [];
  const failures: string[] = [];
  try {
    for (let run = 0; run < runs; run += 1) {
      const service = await spawnService(bareDemo(path));
      const client = clientOf(service.first.url, service.first);
      const killAfter = 1 + Math.floor(random() * 60);
      let answered = 0;
      let killed: Promise<unknown> | undefined;
      const write = async (name: string): Promise<boolean> => {
        const answer = await create(client, name).catch(() => null);
        if (answer?.status === 201) acknowledged.set(name, answer.json.id as number);
        else if (answer) failures.push(`run ${run}: ${name} was answered ${answer.status}`);
        else unanswered.push(name);
        return answer?.status === 201;
      };
      // Unanswered writes of an earlier run are resent under their keys, so each is executed once in all.
      const again = unanswered.splice(0);
      for (const name of again) await write(name);
      const writer = async (index: number): Promise<void> => {
        for (let turn = 0; killed === undefined; turn += 1) {
          if (!(await write(`kill-${run}-${index}-${turn}`))) return;
          answered += 1;
          if (answered === killAfter) killed = service.end('SIGKILL');
        }
      };
      try {
        await Promise.all(Array.from({ length: WRITERS }, (_, index) => writer(index)));
      } finally {
        await (killed ?? service.end('SIGKILL'));
      }
      failures.push(...(await compare(path, acknowledged)).map((one) => `run ${run}: ${one}`));
    }
  } finally {
    dir.remove();
  }
  const note = `${acknowledged.size} records acknowledged, ${unanswered.length} at the end without an answer`;
  return { runs, failures, note };
};

export const kills: Case = {
  name: 'service',
  title: 'SIGKILL among writes: nothing lost, nothing doubled',
  run: (seed, _replay, share) => killRuns(seed, Math.ceil(RUNS * share)),
};
