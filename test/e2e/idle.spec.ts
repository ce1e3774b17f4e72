/** An idle window with an empty queue: no timer repeats more often than every thirty seconds. */
import { expect, test } from './fixtures.ts';

test.use({ apart: false });

const LONG = 30_000;

/** Runs before any script of the page. Records the delay of every timer until it fires or is cleared. */
const watchTimers = (): void => {
  const live = new Map<unknown, number>();
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
  globalThis.setTimeout = ((run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    const timer = setTimeout(() => {
      live.delete(timer);
      run(...args);
    }, ms);
    live.set(timer, ms);
    return timer;
  }) as typeof setTimeout;
  globalThis.setInterval = ((run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    const timer = setInterval(run, ms, ...args);
    live.set(timer, ms);
    return timer;
  }) as typeof setInterval;
  globalThis.clearTimeout = (timer) => {
    live.delete(timer);
    clearTimeout(timer);
  };
  globalThis.clearInterval = (timer) => {
    live.delete(timer);
    clearInterval(timer);
  };
  Object.assign(globalThis, { liveTimers: () => [...live.values()] });
};

test('when nothing waits, no timer of the window comes oftener than every thirty seconds', async ({
  world,
}) => {
  const page = await world.open();
  await page.addInitScript(watchTimers);
  await page.reload();
  await expect(page.locator('.scroller [aria-posinset]').first()).toBeVisible();
  const live = () =>
    page.evaluate(() => (globalThis as unknown as { liveTimers(): number[] }).liveTimers());
  // The short timers of the start are gone; the periodic ones remain.
  await expect.poll(async () => (await live()).filter((ms) => ms < LONG)).toEqual([]);
  expect((await live()).length).toBeGreaterThan(2);
});
