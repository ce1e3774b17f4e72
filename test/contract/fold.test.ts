/** How texts are compared, in the service and in the window alike (decisions §2.3, §2.4). */
import { expect, it } from 'vitest';
import { fold, sortKey } from '../../src/contract/text/fold.ts';

it('decisions §2.4: case and accents of Latin, Greek and Cyrillic make no difference', () => {
  for (const [one, other] of [
    ['Álvaro', 'alvaro'],
    ['A\u0301lvaro', 'ÁLVARO'],
    ['Tørre Öl', 'torre ol'],
    ['Straße', 'STRASSE'],
    ['ﬁnal', 'FINAL'],
    ['İstanbul', 'istanbul'],
    ['ΟΔΟΣ', 'οδος'],
    ['Ёлка', 'елка'],
    ['año', 'ANO'],
  ] as const)
    expect(fold(one), one).toBe(fold(other));
  // Marks that are letters of their own stay.
  expect(fold('か')).not.toBe(fold('が'));
  expect(fold('कि')).not.toBe(fold('क'));
  // Folding what is folded changes nothing: rows of an older service are folded again.
  for (const text of ['Álvaro', 'Straße', 'ΟΔΟΣ', 'が', 'Ñandú'])
    expect(fold(fold(text))).toBe(fold(text));
});

it('decisions §2.3: names are in the order of an index: ñ after n and before o, á with a', () => {
  const names = ['Ozono', 'Ñandú', 'Zorro', 'nube', 'Álvaro', 'alba', 'Nz', 'Amelia', 'ÑANDU'];
  const bytes = (text: string) => Buffer.from(sortKey(text));
  const sorted = names.toSorted((a, b) => Buffer.compare(bytes(a), bytes(b)));
  expect(sorted).toEqual([
    'alba',
    'Álvaro',
    'Amelia',
    'nube',
    'Nz',
    'Ñandú',
    'ÑANDU',
    'Ozono',
    'Zorro',
  ]);
});
