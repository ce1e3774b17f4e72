/** File names that every system takes. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nameKey, portableName } from '../../src/contract/file-name.ts';
import { anyCharacter } from '../support/any-character.ts';

it('names that Windows has for devices, ends it drops and characters it refuses are mended', () => {
  const mended = {
    'CON.jpg': '_CON.jpg',
    nul: '_nul',
    'com1.tar.gz': '_com1.tar.gz',
    'LPT9 .txt': '_LPT9 .txt',
    'A board fell.': 'A board fell',
    'A board fell. . ': 'A board fell',
    'a<b>:"c|d?*.jpg': 'abcd.jpg',
    'console.log': 'console.log',
    '...': '',
    '': '',
  };
  for (const [given, want] of Object.entries(mended))
    expect(portableName(given, 60), given).toBe(want);
});

it('a long name is cut before its ending, and never within a character', () => {
  expect(portableName(`${'a'.repeat(300)}.jpeg`, 60)).toBe(`${'a'.repeat(54)}.jpeg`);
  const cut = portableName(`${'😀'.repeat(100)}.jpg`, 60);
  expect(cut.isWellFormed()).toBe(true);
  expect(cut).toMatch(/^😀+\.jpg$/u);
});

it('whatever the name, the mended one is one that every system takes', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (given) => {
      const name = portableName(given, 60);
      expect(name.length).toBeLessThanOrEqual(60);
      expect(name).not.toMatch(/[. ]$|[<>:"/\\|?*\u0000-\u001f]/);
      expect(name).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i);
    }),
    { numRuns: 500 },
  );
});

it('names that are one file somewhere have one key', () => {
  expect(nameKey('IMG_1.JPG')).toBe(nameKey('img_1.jpg'));
  expect(nameKey('J\u00f6rg.jpg')).toBe(nameKey('Jo\u0308rg.jpg'));
  expect(nameKey('a.jpg')).not.toBe(nameKey('b.jpg'));
});
