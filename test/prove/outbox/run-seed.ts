/**
 * One run: a laptop (host, Chromium), a faulty network, a service, the seed's script, and finally the oracle. An action counts
 * as saved only if the window said so.
 */
import type { Problem } from '../../../src/contract/problem.ts';
import { isRetryable } from '../../../src/renderer/outbox/engine/classify-error.ts';
import { startChaos } from '../../support/chaos.ts';
import type { WindowState } from './actions.ts';
import { countsOf, foundAt, outOfOrder, wrongRecords } from './evidence.ts';
import { Laptop, type Bench } from './laptop.ts';
import { type FaultKind, type PointName, scriptOf, type Victim } from './script.ts';
import { step } from './steps.ts';
import { sleep, within } from './wait.ts';
import { resentBytes } from './weather.ts';

export interface RunReport {
  readonly seed: number;
  readonly failures: readonly string[];
  readonly kills: readonly { readonly point: PointName; readonly victim: Victim }[];
  readonly faults: ReadonlyMap<FaultKind, number>;
  /** Writes refused during a write outage, and photo uploads cut. */
  readonly turned_away: number;
  readonly cut: number;
  readonly frozen: number;
  readonly acknowledged: number;
  readonly photos: number;
  /** Kills and faults that struck while photo bytes were in flight. */
  readonly interruptions: number;
  readonly resent: number;
  readonly seconds: number;
}

/** Time limit of a script. It is no promise, because other work on the machine makes it slow. */
const RUN_MS = 600_000;
/** On a good network the queue must move within a minute (outbox promise 3); a longer standstill is a failure. */
const STILL_MS = 60_000;
/** Time limit in total: a busy machine is slow, not stuck. */
const DRAIN_MS = 180_000;

const play = async (laptop: Laptop): Promise<void> => {
  laptop.chaos = await startChaos(laptop.bench.server.url, laptop.weather.plan, true);
  await laptop.bench.browser.begin((page, point) => laptop.hear(page, point));
  await laptop.host.start();
  await laptop.openWindow(0);
  await laptop.signIn();
  for (const next of laptop.script.steps) {
    await laptop.healthy();
    laptop.goesOn();
    if (laptop.weather.refused) await laptop.signIn();
    await step(laptop, next);
  }
  await laptop.healthy();
};

/** Describes a parked operation whose failure is retryable, which should not need a person. */
const needlessly = (state: WindowState, foreign: ReadonlySet<string>): string | null => {
  const one = state.operations.find(({ id, state: now, problem }) => {
    const said = JSON.parse(problem ?? 'null') as Problem | null;
    return now === 'parked' && said !== null && (isRetryable(said) || foreign.has(id));
  });
  return one === undefined ? null : `parked without need: ${JSON.stringify(one)}`;
};

/**
 * With a good network and everything running, waits until the queue is empty. Nobody presses "Try now"; only operations that need
 * a person are resent, as "Send all again" does.
 */
const drain = async (laptop: Laptop): Promise<string | null> => {
  laptop.over = true;
  laptop.weather.clear();
  await laptop.healthy();
  const began = performance.now();
  let moved = began;
  let last: WindowState | null = null;
  for (let turn = 0; performance.now() < Math.min(moved + STILL_MS, began + DRAIN_MS); turn += 1) {
    const before = JSON.stringify(last);
    last = await laptop.state();
    if (JSON.stringify(last) !== before) moved = performance.now();
    if (last !== null) {
      const { operations, tombstones, journal, session } = last;
      const parked = needlessly(last, laptop.weather.foreign);
      if (parked !== null) return parked;
      if (operations.length === 0 && tombstones === 0 && journal === 0) return null;
      if (session === 'signed_out' && !laptop.weather.struck.has('refused_401'))
        return 'signed out without need';
      if (session !== 'ready') await laptop.signIn();
      const needs = operations.some(({ state }) => state === 'parked');
      if (needs && turn % 5 === 1) await laptop.ask((page) => laptop.hands.sendAgain(page));
    } else if (turn % 10 === 9) await laptop.openWindow(0);
    await sleep(60);
  }
  const waited = Math.round(performance.now() - began);
  const others = await laptop.pagesNow();
  return `not empty after ${waited} ms: ${JSON.stringify(last)}; pages: ${others}`;
};

const verdicts = async (laptop: Laptop): Promise<readonly string[]> => {
  const { seed } = laptop.script;
  return [
    ...wrongRecords(seed, laptop.log, await foundAt(laptop.bench.server, seed)),
    ...outOfOrder(laptop.chaos.seen),
    ...laptop.weather.needless.map((path) => `sent again after the service had it: ${path}`),
    ...laptop.told.filter((text) => text.startsWith('FAILED')),
  ];
};

/** Plays a seed. Never throws: failures are in the report. */
export const runSeed = async (
  seed: number,
  bench: Bench,
  say?: (text: string) => void,
): Promise<RunReport> => {
  const began = performance.now();
  const laptop = new Laptop(scriptOf(seed), bench);
  const failures: string[] = [];
  try {
    await within('the run', RUN_MS, play(laptop));
    const left = await drain(laptop);
    if (left !== null) failures.push(left);
    failures.push(...(await verdicts(laptop)));
  } catch (error) {
    failures.push(
      `the run itself: ${error instanceof Error ? (error.stack ?? '') : String(error)}`,
    );
  }
  const resent = laptop.chaos ? resentBytes(laptop.chaos.seen) : 0;
  const { killed } = laptop;
  const interruptions = laptop.interruptions + laptop.weather.on_photos;
  if (say) for (const text of laptop.told) say(text);
  if (failures.length > 0) say?.(laptop.host.output.slice(-2000));
  await laptop.end();
  return {
    seed,
    failures,
    kills: killed.map(({ point, victim }) => ({ point, victim })),
    faults: laptop.weather.struck,
    turned_away: laptop.weather.turned_away,
    cut: laptop.weather.cut,
    frozen: laptop.script.steps.filter((one) => one.step === 'freeze').length,
    ...countsOf(laptop.log),
    interruptions,
    resent,
    seconds: (performance.now() - began) / 1000,
  };
};
