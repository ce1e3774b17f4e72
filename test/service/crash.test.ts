/**
 * SIGKILL while writing: failures S3, S4. The short form of `npm run prove -- service`, on either database. The title contains
 * the seed; SPOTTER_SEED sets it. Killing a process says nothing about losing power.
 */
import { describe, expect, it } from 'vitest';
import { killRuns } from '../prove/kills.ts';

const ROUNDS = 3;
const seed = Number(process.env['SPOTTER_SEED'] ?? Date.now() % 1_000_000);

describe('failures S3, S4: SIGKILL during writes', () => {
  it(`failures S3, S4: every acknowledged write is there once, and no key without its record (seed ${seed})`, async () => {
    const { runs, failures } = await killRuns(seed, ROUNDS);
    expect(failures).toEqual([]);
    expect(runs).toBe(ROUNDS);
  }, 300_000);
});
