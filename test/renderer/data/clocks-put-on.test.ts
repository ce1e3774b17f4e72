/** Weeks and days where clocks go forward at midnight: in Santiago, Sunday 6 September 2026 begins at 01:00. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cdp } from 'vitest/browser';
import { insightsOf, weekStart } from '../../../src/renderer/data/index/insights.ts';
import type { NearMissTraits } from '../../../src/renderer/data/index/near-miss-facts.ts';
import { beginningOf } from '../../../src/renderer/data/model/near-miss-query.ts';
import { startOfYesterday } from '../../../src/renderer/data/model/shift.ts';

/** The part of the browser's interface used here. */
interface Browser {
  send(method: 'Emulation.setTimezoneOverride', how: { timezoneId: string }): Promise<unknown>;
}
const zone = (timezoneId: string): Promise<unknown> =>
  (cdp() as unknown as Browser).send('Emulation.setTimezoneOverride', { timezoneId });

beforeEach(() => zone('America/Santiago'));
afterEach(() => zone(''));

const sunday = (hour: number): number => new Date(2026, 8, 6, hour).getTime();
const monday = (): number => new Date(2026, 7, 31).getTime();

it('begin at midnight all the same', () => {
  expect(new Date(2026, 8, 6).getHours()).toBe(1);
  expect(weekStart(sunday(15))).toBe(monday());
  expect(beginningOf('week', sunday(15))).toBe(monday());
  expect(beginningOf('month', sunday(15))).toBe(new Date(2026, 8, 1).getTime());
  expect(beginningOf('today', sunday(15))).toBe(sunday(1));
  expect(startOfYesterday(sunday(15))).toBe(new Date(2026, 8, 5).getTime());
});

it('count what was reported on that day in its week', () => {
  const records = [sunday(15), new Date(2026, 8, 9, 12).getTime()].map(
    (created_at) => ({ created_at, ids: [], custom: {} }) as unknown as NearMissTraits,
  );
  const found = insightsOf(
    { records, nameOf: () => '' },
    {
      account: 'a',
      project_id: 1,
      from: null,
      now: new Date(2026, 8, 10, 12).getTime(),
      severity: null,
      kind: null,
      when: null,
      answer: null,
      pin: null,
    },
  );
  expect(found.weeks.map(({ count }) => count)).toEqual([1, 1]);
});
