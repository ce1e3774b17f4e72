/** The short form of `npm run prove -- outbox`: a few seeds of the runs that are played there by the thousand. */
import { playSeeds } from '../prove/outbox.ts';
import { expect, test } from './fixtures.ts';

const SEEDS = 4;

test('failures A1-A4, A21, A26, A27: seeded runs with SIGKILL and faults, nothing lost, doubled or out of order', async () => {
  test.setTimeout(600_000);
  const reports = await playSeeds(1, SEEDS, 2);
  expect(reports.flatMap(({ seed, failures }) => failures.map((one) => `${seed}: ${one}`))).toEqual(
    [],
  );
  expect(reports).toHaveLength(SEEDS);
  expect(reports.flatMap(({ kills }) => kills).length).toBeGreaterThan(0);
});
