/** SIGKILL in the middle of a sweep (decisions §20.3): every near miss is anonymised as a whole or not at all, on both databases. */
import { expect, onTestFinished } from 'vitest';
import { databaseOf, type TestDatabase } from '../../support/database.ts';
import { bareDemo, clientOf, spawnService, tempDir } from '../../support/service.ts';
import { slow } from '../../support/slow.ts';
import { choose } from './support.ts';

/** Makes the pass long enough to be met. */
const copyTwice = async ({ query }: TestDatabase): Promise<void> => {
  const [row = {}] = await query('select * from near_misses limit 1');
  const columns = Object.keys(row).join(', ');
  for (const more of [100_000, 200_000]) {
    const values = columns
      .replace(/\bid\b/, `id + ${more}`)
      .replace(/\bnumber\b/, `number + ${more}`);
    await query(
      `insert into near_misses (${columns}) select ${values} from near_misses where id < 100000`,
    );
  }
};

slow(
  'decisions §20.3: a kill in the middle of a sweep leaves no half of it, and the next start ends the work',
  async () => {
    const { path, remove } = tempDir('retention');
    onTestFinished(remove);
    const argv = bareDemo(path, '--retention-interval=24h');
    const first = await spawnService(argv);
    await choose(clientOf(first.first.url, first.first), { years: 3 });
    await first.end();
    const database = await databaseOf(path);
    await database.query('update near_misses set created_at = created_at - 200000000000');
    await database.query('update incidents set event_date = null');
    await copyTwice(database);
    const count = async (where: string): Promise<number> =>
      Number((await database.query(`select count(*) as n from ${where}`))[0]?.['n']);
    const company = `company_id = ${first.first.company_id}`;
    const due = await count(`near_misses where ${company}`);
    const done = () => count(`near_misses where ${company} and anonymised_at is not null`);

    const killed = await spawnService(argv);
    await expect.poll(done, { interval: 1, timeout: 100_000 }).toBeGreaterThan(0);
    await killed.end('SIGKILL');
    const half = await done();
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(due);
    const acts = `admin_acts where act = 'near_miss_anonymised'`;
    const entries = `near_miss_history where action = 'anonymised'`;
    const texts = `near_misses where ${company} and description like 'Anonymised on%'`;
    const whole = async () => [await count(acts), await count(entries), await count(texts)];
    expect(await whole()).toEqual([half, half, half]);

    const again = await spawnService(argv);
    onTestFinished(async () => void (await again.end()));
    await expect.poll(done, { timeout: 100_000 }).toBe(due);
    expect(await whole()).toEqual([due, due, due]);
  },
);
