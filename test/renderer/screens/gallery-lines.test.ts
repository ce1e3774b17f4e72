/** The gallery by day: a heading per day, its photos, and arrow keys across them. */
import { expect, it } from 'vitest';
import { beside, lineOf, linesOf } from '../../../src/renderer/screens/gallery/lines.ts';

const day = (of: number, hour = 12) => new Date(2026, 10, of, hour).getTime();
/** Five of the 24th, one of the 23rd, four of the 20th. */
const moments = [
  ...[18, 17, 12, 9, 0].map((hour) => day(24, hour)),
  day(23, 23),
  ...Array.from({ length: 4 }, () => day(20)),
];

it('a day has a heading and as many lines as it needs; the next day begins a line of its own', () => {
  expect(linesOf(moments, 3)).toEqual([
    { kind: 'day', at: day(24, 18) },
    { kind: 'photos', from: 0, to: 3 },
    { kind: 'photos', from: 3, to: 5 },
    { kind: 'day', at: day(23, 23) },
    { kind: 'photos', from: 5, to: 6 },
    { kind: 'day', at: day(20) },
    { kind: 'photos', from: 6, to: 9 },
    { kind: 'photos', from: 9, to: 10 },
  ]);
  expect(linesOf([], 3)).toEqual([]);
});

it('up and down go to the line above and below, over headings, and stay at the ends', () => {
  const lines = linesOf(moments, 3);
  expect(lineOf(lines, 4)).toBe(2);
  expect(beside(lines, 1, true)).toBe(4);
  expect(beside(lines, 2, true)).toBe(4);
  expect(beside(lines, 4, true)).toBe(5);
  expect(beside(lines, 5, true)).toBe(6);
  expect(beside(lines, 6, false)).toBe(5);
  expect(beside(lines, 8, false)).toBe(5);
  expect(beside(lines, 1, false)).toBe(1);
  expect(beside(lines, 9, true)).toBe(9);
});
