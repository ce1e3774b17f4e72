/**
 * SIGKILL while writing: failures S3, S4. The short form of `npm run prove -- service`, on either database. The title contains
 * the seed; SPOTTER_SEED sets it. Killing a process says nothing about losing power.
 */
import { describe, expect, it } from 'vitest';
import { killRuns } from '../prove/kills.ts';
import { slow } from '../support/slow.ts';

const seed = Number(process.env['SPOTTER_SEED'] ?? Date.now() % 1_000_000);

describe('failures S3, S4: SIGKILL during writes', () => {
  it(`failures S3, S4: every acknowledged write is there once, and no key without its record (seed ${seed})`, async () => {
    expect(await killRuns(seed, 1)).toMatchObject({ runs: 1, failures: [] });
  });

  slow(
    `failures S3, S4: the same of three kills in a row (seed ${seed})`,
    { timeout: 300_000 },
    async () => {
      expect(await killRuns(seed + 1, 3)).toMatchObject({ runs: 3, failures: [] });
    },
  );
});
