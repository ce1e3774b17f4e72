/**
 * 50,000 hostile messages through each of the two carriers: only results come back, and nothing from a wrong frame is executed
 * (failures A30).
 */
import { fuzzBrowser, fuzzElectron } from '../carriers/fuzz.ts';
import type { Case } from './run.ts';

const MESSAGES = 50_000;

export const carriers: Case = {
  name: 'carriers',
  title: 'hostile messages to both carriers: a result each time, no call of a wrong frame',
  run: async (seed, _replay, share) => {
    const each = Math.ceil(MESSAGES * share);
    const electron = await fuzzElectron(each, seed);
    const browser = await fuzzBrowser(each, seed);
    return {
      runs: electron.runs + browser.runs,
      failures: [...electron.failures, ...browser.failures],
    };
  },
};
