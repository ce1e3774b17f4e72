/**
 * A really full disk (failures A16): the host's data folder on a small ext4 image that fills at a random moment while records
 * and photos arrive. The host is killed or stopped, space is freed or not, and the host restarts. Everything acknowledged must
 * be there, byte for byte; everything else must have been refused with `no_space`.
 */
import { createHash, randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ulid } from 'ulid';
import type { JournalOperation } from '../../src/contract/host.ts';
import type { Problem } from '../../src/contract/problem.ts';
import { driveHost, type DrivenHost } from '../support/host-driver.ts';
import { makeSmallDisk, smallDiskMissing, type SmallDisk } from '../support/small-disk.ts';
import { randomFrom } from './random.ts';
import type { Case, Outcome } from './run.ts';

/** Leaves room for photos before the filler: they are refused below 64 MB. */
const DISK_BYTES = 140 * 1024 * 1024;
const STEPS = 60;

interface Acknowledged {
  /** Texts of unsettled operations, by operation id. */
  readonly operations: Map<string, string>;
  readonly settled: Set<string>;
  /** Settles that were requested and not answered: both outcomes are valid. */
  readonly outcomeUnknown: Set<string>;
  /** sha256 of the sent bytes, by photo id. */
  readonly photos: Map<string, string>;
}

interface Count {
  records: number;
  photos: number;
  records_refused: number;
  photos_refused: number;
  records_after_photos: number;
  kills: number;
  starts_refused: number;
}

interface Run {
  readonly disk: SmallDisk;
  readonly folder: string;
  readonly random: () => number;
  readonly known: Acknowledged;
  readonly count: Count;
  readonly wrong: string[];
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const pick = (random: () => number, below: number): number => Math.floor(random() * below);

const entryOf = (seq: number, text: string): JournalOperation => ({
  id: ulid(),
  seq,
  account: 'a',
  kind: 'near_miss.create',
  version: 1,
  lane: `lane-${seq}`,
  created_at: 1,
  payload: { text },
});

/** The response, or null if the host ended first. */
const answered = <T>(host: DrivenHost, reply: Promise<T>): Promise<T | null> =>
  Promise.race([reply, host.exited.then(() => null)]);

const refusal = (run: Run, what: string, problem: Problem): boolean => {
  if (problem.kind === 'no_space') return true;
  run.wrong.push(`${what} failed with ${problem.kind} and not no_space`);
  return false;
};

const record = async (run: Run, host: DrivenHost, seq: number): Promise<boolean> => {
  const text = `${seq} ${'x'.repeat(pick(run.random, 250_000))}`;
  const operation = entryOf(seq, text);
  const result = await answered(host, host.reply('journal.append', { operations: [operation] }));
  if (result === null) return false;
  if (result.ok) {
    run.known.operations.set(operation.id, text);
    run.count.records += 1;
    return true;
  }
  if (refusal(run, 'an append', result.problem)) run.count.records_refused += 1;
  return false;
};

const settle = async (run: Run, host: DrivenHost): Promise<void> => {
  const [id] = run.known.operations.keys();
  if (id === undefined) return;
  run.known.outcomeUnknown.add(id);
  const result = await answered(
    host,
    host.reply('journal.settle', { operation_ids: [id], links: [{ local_id: id, server_id: 1 }] }),
  );
  if (result === null) return;
  run.known.outcomeUnknown.delete(id);
  if (!result.ok) return void refusal(run, 'a settle', result.problem);
  run.known.operations.delete(id);
  run.known.settled.add(id);
};

const photo = async (run: Run, host: DrivenHost): Promise<boolean> => {
  const photo_id = ulid();
  const size = 20_000 + pick(run.random, 900_000);
  const bytes = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), randomBytes(size)]);
  const steps = [
    () => host.reply('photos.begin', { photo_id, filename: 'a.jpg', size: bytes.length }),
    () => host.reply('photos.write', { photo_id, offset: 0 }, bytes),
    () => host.reply('photos.finish', { photo_id }),
  ];
  for (const step of steps) {
    const result = await answered(host, step());
    if (result === null) return false;
    if (result.ok) continue;
    if (refusal(run, 'a photo', result.problem)) run.count.photos_refused += 1;
    return false;
  }
  run.known.photos.set(photo_id, sha256(bytes));
  run.count.photos += 1;
  return true;
};

const readBack = async (host: DrivenHost, folder: string, photo_id: string): Promise<string> => {
  const facts = await host.reply('photos.finish', { photo_id });
  if (!facts.ok) return facts.problem.kind;
  const { sha256: name } = facts.value as { sha256: string };
  return sha256(await readFile(join(folder, 'photos/originals', name)));
};

const compare = async (run: Run, host: DrivenHost): Promise<void> => {
  const { known, wrong } = run;
  const listed = await host.call('journal.list', {});
  const there = new Map(
    listed.operations.map((operation) => [
      operation.id,
      (operation.payload as { text: string }).text,
    ]),
  );
  for (const [id, text] of known.operations)
    if (there.get(id) !== text && !known.outcomeUnknown.has(id)) wrong.push(`record ${id} is lost`);
  for (const id of known.settled) if (there.has(id)) wrong.push(`settled ${id} came back`);
  if (listed.damaged > 0) wrong.push(`${listed.damaged} damaged lines`);
  if (there.size !== listed.operations.length) wrong.push('an operation is there twice');
  for (const [id, sum] of known.photos) {
    const now = await readBack(host, run.folder, id);
    if (now !== sum) wrong.push(`photo ${id}: ${now}`);
  }
};

/** Records and photos arrive; the disk fills in the middle. */
const work = async (run: Run, host: DrivenHost, from: number): Promise<void> => {
  const { random, count } = run;
  const fillAt = pick(random, 12);
  const killAt = random() < 0.5 ? fillAt + pick(random, STEPS - fillAt) : Infinity;
  let photosRefused = false;
  for (let step = 0; step < STEPS; step += 1) {
    if (step === fillAt) run.disk.fill(pick(random, 3_000_000));
    // Later fills the disk completely.
    if (step === fillAt + 25) run.disk.fill(0);
    if (step === killAt) {
      // Kills the host during a write.
      const last = record(run, host, from + step);
      setTimeout(() => void host.kill(), random() * 4);
      await last;
      await host.kill();
      count.kills += 1;
      return;
    }
    const roll = random();
    if (roll < 0.2) {
      const taken = await photo(run, host);
      if (taken && step > fillAt) run.wrong.push('a photo was taken on a nearly full disk');
      photosRefused ||= !taken;
    } else if (roll < 0.3) await settle(run, host);
    else if ((await record(run, host, from + step)) && photosRefused)
      count.records_after_photos += 1;
  }
  await host.end();
};

const restart = async (run: Run): Promise<DrivenHost> => {
  if (run.random() < 0.5) {
    const host = await driveHost(run.folder);
    if (host.started) return host;
    if (host.problem?.kind !== 'no_space')
      run.wrong.push(`start refused: ${host.problem?.kind ?? ''}`);
    run.count.starts_refused += 1;
    await host.kill();
  }
  run.disk.empty();
  const host = await driveHost(run.folder);
  if (!host.started) throw new Error(host.problem?.detail ?? 'not started');
  return host;
};

const oneRun = async (seed: number, count: Count): Promise<string[]> => {
  const disk = makeSmallDisk(DISK_BYTES);
  const random = randomFrom(seed);
  for (let skip = 0; skip < 5; skip += 1) random();
  const known: Acknowledged = {
    operations: new Map(),
    settled: new Set(),
    outcomeUnknown: new Set(),
    photos: new Map(),
  };
  const folder = join(disk.path, 'app');
  const run: Run = { disk, folder, random, known, count, wrong: [] };
  let host: DrivenHost | null = null;
  try {
    host = await driveHost(folder);
    await work(run, host, 0);
    host = await restart(run);
    await compare(run, host);
    disk.empty();
    if (!(await record(run, host, 1000))) run.wrong.push('room was made, and a record is refused');
    await host.end();
    const reserve = join(folder, 'journal/reserve');
    if (statSync(reserve, { throwIfNoEntry: false })?.size !== 4 * 1024 * 1024)
      run.wrong.push('room was made, and the reserve is not there again');
    host = await driveHost(folder);
    await compare(run, host);
  } catch (error) {
    run.wrong.push(String(error).split('\n')[0] ?? '');
  } finally {
    await host?.kill();
    disk.remove();
  }
  return run.wrong.map((one) => `seed ${seed}: ${one}`);
};

/** Plays `runs` runs; `failures` names the seed of each failure. */
export const fillDisks = async (seed: number, runs: number): Promise<Outcome> => {
  const missing = smallDiskMissing();
  if (missing !== null) return { runs: 0, failures: [`not run: ${missing}`] };
  const count: Count = {
    records: 0,
    photos: 0,
    records_refused: 0,
    photos_refused: 0,
    records_after_photos: 0,
    kills: 0,
    starts_refused: 0,
  };
  const failures: string[] = [];
  for (let run = 0; run < runs; run += 1) failures.push(...(await oneRun(seed + run, count)));
  const said = Object.entries(count).map(([name, n]) => `${n} ${name.replaceAll('_', ' ')}`);
  return { runs, failures, note: said.join(', ') };
};

const RUNS = Number(process.env['SPOTTER_DISKS'] ?? 60);

export const disk: Case = {
  name: 'disk',
  title: 'a full disk under journal and spool: 0 acknowledged records or photos lost',
  run: (seed) => fillDisks(seed, RUNS),
};
