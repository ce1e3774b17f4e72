/** Dates as people type them, and as the box shows them. */
import { describe, expect, it } from 'vitest';
import {
  isDayValue,
  readTypedDay,
  sayDay,
} from '../../../src/renderer/near-miss-form/typed-day.ts';
import { words as english } from '../../../src/renderer/words/en.ts';
import { words as spanish } from '../../../src/renderer/words/es.ts';
import { words as polish } from '../../../src/renderer/words/pl.ts';

const now = new Date(2026, 10, 23, 9, 5).getTime();
const day = (text: string) => readTypedDay(text, { with_time: false, before: '', now });
const moment = (text: string, before = '') => readTypedDay(text, { with_time: true, before, now });

describe('a typed day', () => {
  it('is read in every usual way, the day first, in every language', () => {
    const said = [
      '2026-11-20',
      '20/11/2026',
      '20.11.26',
      '20-11-2026',
      '20 11 2026',
      ' 20/11 ',
      '20 Nov 2026',
      '20 nov. 2026',
      'November 20, 2026',
      'Nov 20',
      '20 de noviembre de 2026',
      '20 NOVIEMBRE',
      '20 listopada 2026',
      '20 LISTOPAD',
      '20 lis',
    ];
    expect(Object.fromEntries(said.map((text) => [text, day(text)]))).toEqual(
      Object.fromEntries(said.map((text) => [text, '2026-11-20'])),
    );
    expect([day('today'), day('Hoy'), day('yesterday'), day('ayer')]).toEqual([
      '2026-11-23',
      '2026-11-23',
      '2026-11-22',
      '2026-11-22',
    ]);
    expect([day('dzisiaj'), day('Dziś'), day('wczoraj')]).toEqual([
      '2026-11-23',
      '2026-11-23',
      '2026-11-22',
    ]);
    expect([day('3 maja'), day('3 maj'), day('1 października'), day('7 paź 2025')]).toEqual([
      '2026-05-03',
      '2026-05-03',
      '2026-10-01',
      '2025-10-07',
    ]);
    // A number above 12 must be the day; if both could be, the day comes first.
    expect([day('11/20/2026'), day('04/05/2026')]).toEqual(['2026-11-20', '2026-05-04']);
    expect([day('3 enero'), day('3 jan'), day('3 ago 2025'), day('3 aug 2025')]).toEqual([
      '2026-01-03',
      '2026-01-03',
      '2025-08-03',
      '2025-08-03',
    ]);
  });

  it('that is none is not guessed', () => {
    const none = [
      '',
      '  ',
      'soon',
      '31/2/2026',
      '20/13/',
      '13/13/2026',
      '20 Ju',
      'No 20',
      '2026',
      '0/1/2026',
      '20/11/20266',
      '14:32',
    ];
    expect(none.map(day)).toEqual(none.map(() => null));
    expect(day('29/2/2028')).toBe('2028-02-29');
  });

  it('with a time: of a day alone the time stays, of a time alone the day', () => {
    expect([
      moment('20/11/2026 14:32'),
      moment('2026-11-20T14:32'),
      moment('20 Nov 2026, 2:32 pm'),
      moment('20 nov 2026, 02:32 p. m.'),
      moment('20 Nov 14h32'),
    ]).toEqual(Array.from({ length: 5 }, () => '2026-11-20T14:32'));
    expect([moment('12:05 am'), moment('12:05 pm')]).toEqual([
      '2026-11-23T00:05',
      '2026-11-23T12:05',
    ]);
    expect(moment('yesterday 9:10')).toBe('2026-11-22T09:10');
    expect(moment('21/11', '2026-11-20T14:32')).toBe('2026-11-21T14:32');
    expect(moment('7:15', '2026-11-20T14:32')).toBe('2026-11-20T07:15');
    expect(moment('21/11')).toBe('2026-11-21T00:00');
    expect(
      ['25:00', '20/11 24:00', '20/11 10:60', '13:00 pm', 'soon 10:00'].map((one) => moment(one)),
    ).toEqual([null, null, null, null, null]);
  });

  it('stands in its box with the month’s name, and is read from there again', () => {
    for (const { format } of [english, spanish, polish])
      for (let month = 0; month < 12; month += 1) {
        const value = `2027-${String(month + 1).padStart(2, '0')}-0${1 + (month % 9)}`;
        expect(day(sayDay(value, format))).toBe(value);
        expect(moment(sayDay(`${value}T23:07`, format))).toBe(`${value}T23:07`);
      }
    expect(sayDay('2026-11-20', english.format)).toBe('20 Nov 2026');
    expect(sayDay('soon', english.format)).toBe('soon');
    expect([isDayValue('2026-11-20', false), isDayValue('2026-11-20', true)]).toEqual([
      true,
      false,
    ]);
  });
});

it('is no value where no calendar or clock has it', () => {
  const days = ['2026-02-30', '2026-13-01', '2026-00-10', '2026-11-31', '2025-02-29'];
  expect(days.filter((one) => isDayValue(one, false))).toEqual([]);
  expect(isDayValue('2028-02-29', false)).toBe(true);
  const moments = ['2026-02-30T10:00', '2026-11-20T24:00', '2026-11-20T25:10', '2026-11-20T10:60'];
  expect(moments.filter((one) => isDayValue(one, true))).toEqual([]);
  expect(isDayValue('2026-11-20T23:59', true)).toBe(true);
});
