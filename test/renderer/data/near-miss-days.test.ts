/** Days of a list: where each begins, in every order, so that every row's position is known without drawing the others. */
import { describe, expect, it } from 'vitest';
import { createColumns, noMarks } from '../../../src/renderer/data/index/near-miss-columns.ts';
import {
  dayStarts,
  daysOf,
  startsBefore,
  withStretch,
} from '../../../src/renderer/data/index/near-miss-days.ts';
import { askedForAll } from '../../../src/renderer/data/model/near-miss-query.ts';

const at = (day: number, hour: number): number => new Date(2026, 9, day, hour).getTime();
const midnight = (day: number): number => at(day, 0);
const itself = (moment: number): number => moment;

describe('the days of a list', () => {
  it('begin at the first record of each local day, also where a day has 25 hours', () => {
    // Clocks go back in Europe on 25 October 2026.
    const moments = [at(26, 0), at(25, 23), at(25, 0), at(24, 23)];
    expect(dayStarts(moments, itself)).toEqual([
      { at: 0, day: midnight(26) },
      { at: 1, day: midnight(25) },
      { at: 3, day: midnight(24) },
    ]);
  });

  it('grow with a stretch that overlaps or adjoins, without a second heading for a day that goes on', () => {
    const moments = [at(26, 9), at(26, 8), at(25, 9), at(25, 8), at(24, 9)];
    const whole = dayStarts(moments, itself);
    for (const cut of [1, 2, 3, 4])
      for (const from of [cut - 1, cut]) {
        const known = dayStarts(moments.slice(0, cut), itself);
        expect(withStretch(known, dayStarts(moments.slice(from), itself, from), from)).toEqual(
          whole,
        );
      }
  });

  it('tell how many headings are above a row', () => {
    const days = dayStarts([at(26, 9), at(26, 8), at(25, 9), at(24, 9)], itself);
    expect([0, 1, 2, 3, 4].map((row) => startsBefore(days, row))).toEqual([0, 1, 1, 2, 3]);
  });

  it('are of the report or of the event, as the list is sorted, and of nothing in another order', () => {
    const columns = createColumns();
    const put = (key: string, reported: number, event: string) =>
      columns.put({
        key,
        account: 'a',
        project_id: 1,
        bin: 0,
        server_id: null,
        created_at: reported,
        removed_at: null,
        title: key,
        full_number: '',
        fields: { description: key, custom_fields: { custom_field_3: event } },
        names: {},
        server: null,
      } as never);
    put('late', at(26, 9), new Date(2026, 9, 20, 8).toISOString());
    put('soon', at(25, 9), new Date(2026, 9, 25, 8).toISOString());
    const parts = { ...noMarks.parts, event_time: 'custom_field_3' };
    const days = (sort: '-event_time' | 'number' | null, bin: 0 | 1 = 0) => {
      const asked = { ...askedForAll, bin, sort };
      const { found } = columns.ask(asked, 'all', { ...noMarks, parts });
      return daysOf(found, asked, parts).map(({ day }) => day);
    };
    expect(days(null)).toEqual([midnight(26), midnight(25)]);
    expect(days('-event_time')).toEqual([midnight(25), midnight(20)]);
    expect(days('number')).toEqual([]);
    expect(days(null, 1)).toEqual([]);
  });
});
