/** The catalogue: no sentence is empty or half made, whatever it is given; plurals, sizes and times read right. */
import { describe, expect, it } from 'vitest';
import { words } from '../../../src/renderer/words/words.ts';

const NOW = new Date(2026, 10, 21, 12, 0).getTime();
const samples: readonly (readonly unknown[])[] = [
  [0, NOW, NOW, NOW],
  [1, NOW, NOW, NOW],
  [3, NOW, NOW, NOW],
];

/** Its first argument is a name of a closed list: called with each of them below. */
const byName = new Set(['words.markup.one']);

/** Calls every function of the catalogue with small numbers, and lists every text it holds. */
const texts = (value: unknown, path: string): (readonly [string, string])[] => {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') {
    if (byName.has(path)) return [];
    return samples.flatMap((args) => {
      try {
        const said: unknown = (value as (...args: readonly unknown[]) => unknown)(...args);
        return typeof said === 'string' ? [[`${path}(${String(args[0])})`, said] as const] : [];
      } catch {
        return []; // takes texts, not numbers: named below
      }
    });
  }
  return Object.entries(value as object).flatMap(([name, inner]) =>
    texts(inner, `${path}.${name}`),
  );
};

describe('words', () => {
  const { format: _format, ...catalogue } = words;

  it.each(texts(catalogue, 'words'))('%s is whole', (_path, text) => {
    expect(text.trim()).not.toBe('');
    expect(text).not.toMatch(/undefined|null|NaN|\[object|#/u);
  });

  it('numbers marks by their kind', () => {
    const { kinds, one } = words.markup;
    for (const kind of Object.keys(kinds) as (keyof typeof kinds)[])
      expect(one(kind, 2)).toBe(`${kinds[kind]} 2`);
  });

  it('counts in words', () => {
    expect(words.list.photos(1)).toBe('1 photo');
    expect(words.list.photos(2)).toBe('2 photos');
    expect(words.waiting.tries(1)).toBe('Tried once');
    expect(words.waiting.tries(4)).toBe('Tried 4 times');
    expect(words.capture.fix(1)).toBe('One field needs you.');
    expect(words.sign_in.text(1)).toContain('1 item is safe on this laptop');
    expect(words.sign_in.text(2)).toContain('2 items are safe on this laptop');
  });

  it('shows sizes as file managers do', () => {
    expect(words.format.bytes(0)).toBe('0 B');
    expect(words.format.bytes(999)).toBe('999 B');
    expect(words.format.bytes(4_102_338)).toBe('4.1 MB');
    expect(words.format.bytes(999_960)).toBe('1 MB');
  });

  it('tells a day near to now by its name, across midnight and years', () => {
    const at = (month: number, day: number, hour: number, year = 2026) =>
      new Date(year, month, day, hour, 5).getTime();
    expect(words.format.near(at(10, 21, 0), NOW)).toBe('today 00:05');
    expect(words.format.near(at(10, 20, 23), NOW)).toBe('yesterday 23:05');
    expect(words.format.near(at(10, 18, 9), NOW)).toContain('18 Nov');
    expect(words.format.near(at(2, 3, 9, 2025), NOW)).toBe('3 Mar 2025');
  });

  it('never says a wait of nothing', () => {
    expect(words.waiting.next_try(0)).toContain('1 second');
    expect(words.format.span(28_000)).toBe('28 seconds');
    expect(words.format.span(240_000)).toBe('4 minutes');
    expect(words.format.span(7_200_000)).toBe('2 hours');
  });

  it('says a sha256 whole, and when the bytes were read back only where they were', () => {
    const sha = `9f2c${'0'.repeat(56)}e1a0`;
    expect(words.detail.receipt_sha(sha)).toContain(sha);
    expect(words.detail.receipt_size(4_102_338, null)).toBe('4,102,338 B');
    expect(words.detail.receipt_size(4_102_338, NOW)).toContain('4,102,338 B · read back 21 Nov');
  });
});
