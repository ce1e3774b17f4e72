/** The short form of `npm run prove -- carriers`. */
import { expect, it } from 'vitest';
import { fuzzBrowser, fuzzElectron } from './fuzz.ts';

const seed = Number(process.env['SPOTTER_SEED'] ?? Date.now() % 1_000_000);

it(`failures A30: hostile messages through Electron's channel, seed ${seed}: results only, nothing of a wrong frame runs`, async () => {
  expect(await fuzzElectron(2_000, seed)).toEqual({ runs: 2_000, failures: [] });
});

it(`failures A30: hostile messages over loopback, seed ${seed}: results only`, async () => {
  expect(await fuzzBrowser(300, seed)).toEqual({ runs: 300, failures: [] });
});
