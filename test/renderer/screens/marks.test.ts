/** Search matches are highlighted in a title regardless of case and accents. */
import { describe, expect, it } from 'vitest';
import { piecesOf } from '../../../src/renderer/screens/near-misses/marks.ts';

const marked = (text: string, query: string): string =>
  piecesOf(text, query)
    .map((piece) => (piece.marked ? `[${piece.text}]` : piece.text))
    .join('');

describe('piecesOf', () => {
  it('marks each word of the search, and loses no letter', () => {
    expect(marked('Scaffold board fell', 'board scaff')).toBe('[Scaff]old [board] fell');
    expect(marked('Scaffold board fell', '')).toBe('Scaffold board fell');
    expect(marked('Scaffold board fell', 'crane')).toBe('Scaffold board fell');
  });

  it('marks a number only where the whole of it stands', () => {
    expect(marked('Gate 2, row 42 and 2-20', '2')).toBe('Gate [2], row 42 and [2]-20');
  });

  it('folds as the search does', () => {
    expect(marked('Álvaro, Straße 3', 'alvaro STRASSE')).toBe('[Álvaro], [Straße] 3');
    expect(marked('👷🏽 Ångström', 'angstrom')).toBe('👷🏽 [Ångström]');
  });
});
