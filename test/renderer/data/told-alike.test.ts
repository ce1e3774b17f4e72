/** A new text is compared with earlier reports: rare words count, one word alone does not, and the place is named. */
import { expect, it } from 'vitest';
import { fold } from '../../../src/contract/text/fold.ts';
import { alikeOf, nothingAlike, type AlikeRecord } from '../../../src/renderer/data/model/alike.ts';

const told = (key: string, text: string, place = ''): AlikeRecord => ({
  key,
  created_at: Number(key),
  text: fold(text),
  place,
});
const records = [
  told('1', 'Scaffold board slid off level 3 beside the walkway', 'Gate 2'),
  told('2', 'A scaffold board lay loose over the walkway', 'Gate 2'),
  told('3', 'Forklift reversed beside the walkway', 'Yard'),
  told('4', 'Crane hook swung over the walkway'),
  told('5', 'Tablón del andamio suelto sobre el paso', 'Gate 2'),
  ...Array.from({ length: 40 }, (_one, n) => told(String(100 + n), 'Trench edge crumbled')),
];

it('the most alike first, with how many and where most of them were', () => {
  expect(alikeOf('scaffold board came loose at the walkway', records)).toEqual({
    keys: ['2', '1'],
    count: 2,
    place: 'Gate 2',
    at_place: 2,
  });
  // Ignores accents and case.
  expect(alikeOf('TABLON del andamio', records).keys).toEqual(['5']);
});

it('one word alone, short words and what nobody told are like nothing', () => {
  expect(alikeOf('walkway', records)).toEqual(nothingAlike);
  expect(alikeOf('off at the by', records)).toEqual(nothingAlike);
  expect(alikeOf('walkway flooded after heavy rainfall overnight', records)).toEqual(nothingAlike);
  expect(alikeOf('scaffold board', [])).toEqual(nothingAlike);
});

it('of many that say the same three are named, the newest first, and all are counted', () => {
  const found = alikeOf('trench edge crumbled again', records);
  expect(found.count).toBe(40);
  expect(found.keys).toEqual(['139', '138', '137']);
});
