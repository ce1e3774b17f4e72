/**
 * A service while another process repeatedly holds its database, and its clock jumps by up to two hours (failures S25, S29).
 * Every record is there once, however often its write got a 503; there is no other error; one writer's ids rise in the order of
 * its answers; created_at is a time that the clock has shown. On SQLite only: PostgreSQL has no such lock.
 * test/service/busy.test.ts is the short form.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import SQLite from 'better-sqlite3';
import { onPostgres } from '../support/database.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { randomFrom } from './random.ts';
import type { Case, Outcome } from './run.ts';

const RUNS = 100;
const WRITERS = 5;
const RECORDS = 8;
const HOUR = 3_600_000;

type Random = () => number;

interface Written {
  readonly name: string;
  readonly id: number;
  readonly created_at: string;
}

/** Holds the database for moments and moves the clock, until everything is written. */
const disturb = async (t: TestService, random: Random, over: () => boolean): Promise<void> => {
  const db = new SQLite(join(t.data_dir, 'spotter.db'), { timeout: 0 });
  try {
    while (!over()) {
      t.clock.advance(Math.floor((random() - 0.5) * 4 * HOUR));
      try {
        db.exec('begin immediate');
        await pause(random() * 150);
        db.exec('rollback');
      } catch {
        // The service was writing at this moment.
      }
      await pause(random() * 60);
    }
  } finally {
    db.close();
  }
};

/** Retries one record until it is created. Returns null after an invalid response. */
const create = async (t: TestService, name: string): Promise<Written | number> => {
  for (;;) {
    const body = { near_miss: { incident_id: 1, description: name } };
    const answer = await t.demo.post('~/incidents/near_misses', body, { 'idempotency-key': name });
    if (answer.status === 201)
      return { name, id: Number(answer.json.id), created_at: String(answer.json.created_at) };
    if (answer.status !== 503 || answer.headers.get('retry-after') === null) return answer.status;
    await pause(20);
  }
};

const play = async (seed: number): Promise<string[]> => {
  const random = randomFrom(seed);
  const t = await startTestService({ 'database-busy-timeout': 50 });
  const wrong: string[] = [];
  const start = t.clock.now();
  let over = false;
  try {
    const written: Written[] = [];
    const write = async (writer: number): Promise<void> => {
      let last = 0;
      for (let n = 0; n < RECORDS; n += 1) {
        const made = await create(t, `held-${writer}-${n}`);
        if (typeof made === 'number') {
          wrong.push(`held-${writer}-${n} was answered ${made}`);
          continue;
        }
        if (made.id <= last) wrong.push(`${made.name}: id ${made.id} after ${last}`);
        last = made.id;
        written.push(made);
      }
    };
    const disturbed = disturb(t, random, () => over);
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    over = true;
    await disturbed;
    const rows = await t.database.query(
      "select id, description from near_misses where description like 'held-%'",
    );
    const kept = new Map(rows.map(({ id, description }) => [String(description), Number(id)]));
    if (kept.size !== rows.length) wrong.push(`${rows.length - kept.size} records twice`);
    for (const { name, id, created_at } of written) {
      if (kept.get(name) !== id) wrong.push(`${name}: answered ${id}, kept ${kept.get(name)}`);
      if (Math.abs(Date.parse(created_at) - start) > 1000 * HOUR)
        wrong.push(`${name}: created at ${created_at}`);
    }
    const [events] = await t.database.query(
      `select count(*) as n from events where resource_id in
         (select id from near_misses where description like 'held-%')`,
    );
    if (events?.['n'] !== rows.length) wrong.push(`${String(events?.['n'])} events`);
  } finally {
    over = true;
    await t.stop();
  }
  return wrong.map((text) => `seed ${seed}: ${text}`);
};

export const held: Case = {
  name: 'service',
  title: 'database held, clock moved',
  run: async (seed, replay, share): Promise<Outcome> => {
    if (onPostgres) return { runs: 1, failures: [], note: 'SQLite only' };
    const runs = replay ? 1 : Math.max(1, Math.round(RUNS * share));
    const failures: string[] = [];
    for (let run = 0; run < runs; run += 1) failures.push(...(await play(seed + run)));
    return { runs, failures };
  },
};
