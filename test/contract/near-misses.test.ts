/** Ranges and id lists of the filters (decisions §2.4). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idList, nearMissListQuery } from '../../src/contract/rest/near-misses.ts';
import { parseRange } from '../../src/contract/rest/protocol/range.ts';

const day = (year: number, month: number, date: number): number => Date.UTC(year, month - 1, date);

describe('decisions §2.4: parseRange', () => {
  it('decisions §2.4: a date alone is that whole UTC day', () => {
    expect(parseRange('2026-02-28...2026-02-28')).toEqual({
      from: day(2026, 2, 28),
      to: day(2026, 3, 1) - 1,
    });
  });

  it('decisions §2.4: times in UTC or with a zone, to the end of their second', () => {
    expect(parseRange('2026-01-01T00:00:00Z...2026-01-01T01:00:00+01:00')).toEqual({
      from: day(2026, 1, 1),
      to: day(2026, 1, 1) + 999,
    });
  });

  it('decisions §2.4: a side may be open, not both', () => {
    expect(parseRange('2026-01-01...')).toEqual({ from: day(2026, 1, 1), to: null });
    expect(parseRange('...2026-01-01')).toEqual({ from: null, to: day(2026, 1, 2) - 1 });
    expect(parseRange('...')).toBeNull();
  });

  it('decisions §2.4: anything else is none', () => {
    for (const text of [
      '',
      'x',
      '2026-01-01',
      '2026-01-01..2026-01-02',
      '2026-13-01...',
      '2026-02-30...',
      '2026-01-02...2026-01-01',
      '2026-01-01T24:30:00Z...',
      ' 2026-01-01...',
      '2026-1-1...',
      '2026-01-01T00:00:00...',
      '2026-01-01...2026-01-02...2026-01-03',
    ])
      expect(parseRange(text), text).toBeNull();
  });

  it('decisions §2.4: every range of two days in order holds both, and no range holds the moment before it', () => {
    const date = fc
      .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
      .map((moment) => moment.toISOString().slice(0, 10));
    fc.assert(
      fc.property(date, date, (a, b) => {
        const [first, last] = a <= b ? [a, b] : [b, a];
        const range = parseRange(`${first}...${last}`);
        expect(range?.from).toBe(Date.parse(first));
        expect(range?.to).toBe(Date.parse(last) + 86_399_999);
        if (a !== b) expect(parseRange(`${last}...${first}`)).toBeNull();
      }),
    );
  });
});

describe('decisions §2.4: id lists', () => {
  it('decisions §2.4: all spellings become numbers', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1 }), { minLength: 1, maxLength: 50 }), (ids) => {
        expect(idList.parse(ids.join(','))).toEqual(ids);
        expect(idList.parse(ids.map(String))).toEqual(ids);
      }),
    );
  });

  it('failures S18: no integer, too large, too many', () => {
    for (const value of [
      '',
      '0',
      '-1',
      '1,,2',
      'a',
      '9007199254740993',
      ['1', 'x'],
      '1,'.repeat(2000) + '1',
    ])
      expect(idList.safeParse(value).success, String(value).slice(0, 20)).toBe(false);
  });

  it('decisions §2.1: page and per_page have defaults', () => {
    expect(nearMissListQuery.parse({})).toEqual({ page: 1, per_page: 100 });
  });
});
