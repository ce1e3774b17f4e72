/** SIGKILL in the middle of an erasure (decisions §21.2): each record is done as a whole or not at all, on both databases. */
import { expect, onTestFinished } from 'vitest';
import { databaseOf } from '../../support/database.ts';
import { bareDemo, clientOf, spawnService, tempDir } from '../../support/service.ts';
import { slow } from '../../support/slow.ts';
import { all, decide, NAME, preview, proofOf } from './erasure-support.ts';

slow(
  'decisions §21.2: a kill in the middle of an erasure leaves no half of it, and the next start ends the work',
  async () => {
    const { path, remove } = tempDir('erasure');
    onTestFinished(remove);
    const argv = bareDemo(path, '--retention-interval=24h');
    const first = await spawnService(argv);
    const admin = clientOf(first.first.url, first.first);
    const database = await databaseOf(path);
    await database.query(
      `update near_misses set description = '<p>${NAME}</p>', description_plain_text = '${NAME}'`,
    );
    const company = `company_id = ${first.first.company_id}`;
    const count = async (where: string): Promise<number> =>
      Number((await database.query(`select count(*) as n from ${where}`))[0]?.['n']);
    const named = () => count(`near_misses where ${company} and description like '%${NAME}%'`);
    const due = await named();
    expect(due).toBeGreaterThan(100);
    const seen = await preview(admin, { name: NAME });
    const made = await decide(admin, { name: NAME }, seen, all(seen.hits));
    expect(made.status, made.text).toBe(201);
    await expect.poll(named, { interval: 1, timeout: 100_000 }).toBeLessThan(due);
    await first.end('SIGKILL');
    const half = due - (await named());
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(due);
    const ended = () => count(`erasure_items where kind = 'report' and outcome = 'done'`);
    const entries = () => count(`near_miss_history where action = 'redacted'`);
    expect([await ended(), await entries()]).toEqual([half, half]);

    const again = await spawnService(argv);
    onTestFinished(async () => void (await again.end()));
    await expect.poll(named, { timeout: 100_000 }).toBe(0);
    const client = clientOf(again.first.url, again.first);
    const proof = () => proofOf(client, made.json.id);
    await expect.poll(async () => (await proof()).done_at, { timeout: 100_000 }).not.toBeNull();
    expect([await ended(), await entries()]).toEqual([due, due]);
    expect(await count('erasures where names is not null')).toBe(0);
  },
);
