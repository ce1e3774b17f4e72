/** A window that nobody touches and for which nothing waits: whatever it does again and again comes no oftener than every thirty seconds. */
import { expect, test } from './fixtures.ts';

test.use({ apart: false });

const LONG = 30_000;

/** Before any script of the page: keeps of every timer that is set how long it is, until it has fired or is taken back. */
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
  // What the start sets for a moment is over, and what goes on is there.
  await expect.poll(async () => (await live()).filter((ms) => ms < LONG)).toEqual([]);
  expect((await live()).length).toBeGreaterThan(2);
});
