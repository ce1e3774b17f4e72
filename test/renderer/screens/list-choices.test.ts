/** The time ranges of the list's filter, by local days. */
import { expect, it } from 'vitest';
import { stretchOf } from '../../../src/renderer/state/near-misses/list-choices.svelte.ts';

const at = (year: number, month: number, day: number, hour = 0): number =>
  new Date(year, month - 1, day, hour).getTime();

it('last week is Monday to Sunday before this Monday, to the millisecond', () => {
  // A Sunday evening: this week began on the 16th.
  const now = at(2026, 11, 22, 20);
  expect(stretchOf('last_week', now)).toEqual({ from: at(2026, 11, 9), to: at(2026, 11, 16) - 1 });
  expect(stretchOf('week', now)).toEqual({ from: at(2026, 11, 16), to: null });
  // On the next Monday it is the week that just ended.
  expect(stretchOf('last_week', at(2026, 11, 23, 7)).from).toBe(at(2026, 11, 16));
});

it('last month is the calendar month before, over the end of a year too', () => {
  expect(stretchOf('last_month', at(2027, 1, 31, 12))).toEqual({
    from: at(2026, 12, 1),
    to: at(2027, 1, 1) - 1,
  });
  expect(stretchOf('last_month', at(2026, 3, 31)).from).toBe(at(2026, 2, 1));
});
