/** The options of a searchable select for a typed text. */
import { describe, expect, it } from 'vitest';
import { narrow } from '../../../src/renderer/parts/narrow.ts';

const options = [
  { id: 1, name: 'Fall from height' },
  { id: 2, name: 'Falling object', note: '14' },
  { id: 3, name: 'Électricité' },
];
const ids = (text: string) => narrow(options, text).map((option) => option.id);

describe('narrow', () => {
  it('shows everything for nothing', () => expect(ids('  ')).toEqual([1, 2, 3]));
  it('finds every word in any order, whatever the case', () => {
    expect(ids('HEIGHT fall')).toEqual([1]);
    expect(ids('fall')).toEqual([1, 2]);
  });
  it('ignores accents', () => expect(ids('electricite')).toEqual([3]));
  it('looks at the note too', () => expect(ids('14')).toEqual([2]));
  it('finds nothing for a stranger', () => expect(ids('fall crane')).toEqual([]));
});
