/** The short form of `npm run prove -- outbox`: a few of the seeds that run there by the thousand. */
import { playSeeds } from '../prove/outbox.ts';
import { expect, test } from './fixtures.ts';

for (const [first, count, tag] of [
  // Of the quick seeds one with much in it: host and page killed, the database lost, an edit, a delete, photos, an answer cut off.
  [54, 1, '@main'],
  [1, 4, '@seeds'],
] as const)
  test(
    `failures A1-A4, A21, A26, A27: seeds from ${first} with SIGKILL and faults, nothing lost, doubled or out of order`,
    { tag },
    async () => {
      test.setTimeout(600_000);
      const reports = await playSeeds(first, count, 2);
      expect(
        reports.flatMap(({ seed, failures }) => failures.map((one) => `${seed}: ${one}`)),
      ).toEqual([]);
      expect(reports).toHaveLength(count);
      expect(reports.flatMap(({ kills }) => kills).length).toBeGreaterThan(0);
    },
  );
