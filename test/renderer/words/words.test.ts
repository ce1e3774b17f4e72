/**
 * The catalogues: in every language no sentence is empty or incomplete for any input, all have the same keys, no English is
 * left in another one, and plurals, sizes and times read correctly.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { languages } from '../../../src/contract/languages.ts';
import { words as english } from '../../../src/renderer/words/en.ts';
import { words as spanish } from '../../../src/renderer/words/es.ts';
import { words as polish } from '../../../src/renderer/words/pl.ts';
import type { Words } from '../../../src/renderer/words/shape.ts';
import { words } from '../../../src/renderer/words/company-words.ts';
import { languageOf, speak } from '../../../src/renderer/words/words.ts';

const NOW = new Date(2026, 10, 21, 12, 0).getTime();

type Word = string | ((...given: readonly unknown[]) => unknown);

/** All words by path. */
const wordsOf = (value: unknown, path = ''): (readonly [string, Word])[] => {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') return [[path, value as Word]];
  return Object.entries(value as object).flatMap(([name, inner]) =>
    wordsOf(inner, path === '' ? name : `${path}.${name}`),
  );
};

/** Explicit arguments for words that accept only values of a closed list. */
const given: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  'markup.one': [['arrow', 2]],
};
const pool = (n: number, length: number) =>
  length > 2 ? [n, 'Xyz'] : [n, 'Xyz', ['Xyz', 'Zyx'], { latitude: 1.5, longitude: 2.5 }];
const mixtures = (length: number, n: number, of = pool(n, length)): unknown[][] =>
  length === 0
    ? [[]]
    : mixtures(length - 1, n, of).flatMap((head) => of.map((one) => [...head, one]));

/** `length` does not count optional parameters, so try one more. */
const lengths = (word: (...of: readonly unknown[]) => unknown) =>
  [word.length, word.length + 1].map((length) => Math.min(Math.max(length, 1), 5));

const isWhole = (said: unknown): said is string =>
  typeof said === 'string' &&
  said.trim() !== '' &&
  !/undefined|null|NaN|Invalid|\[object|#|=>/u.test(said);

const heard = new Map<Word, readonly string[]>();

/** The results of a word for each mixture of arguments that it accepts. */
const said = (path: string, word: Word): readonly string[] => {
  if (typeof word === 'string') return [word];
  const before = heard.get(word);
  if (before !== undefined) return before;
  const all =
    given[path] ?? lengths(word).flatMap((length) => [0, 1, 3].flatMap((n) => mixtures(length, n)));
  const texts = all.flatMap((args) => {
    try {
      const text = word(...args);
      return isWhole(text) ? [text] : [];
    } catch {
      return []; // these are not its arguments
    }
  });
  heard.set(word, texts);
  return texts;
};

const catalogueOf = ({ format: _format, ...rest }: Words) => new Map(wordsOf(rest));
const others = { es: spanish, pl: polish };
const catalogues = {
  en: catalogueOf(english),
  es: catalogueOf(spanish),
  pl: catalogueOf(polish),
};
/** Texts that are only numbers or ids. */
const numbersOnly = /^[\d.,\s·/%-]*$/u;

/** The same as in English: names, units, loanwords, letters of tools, and the API's own words with their translation. */
const NAMES = [
  'Spotter',
  'Node',
  'English',
  'Always English',
  'Español',
  'Siempre en español',
  'Polski',
  'Zawsze po polsku',
  'Token',
  'token',
  'Excel',
  'Excel (.xlsx)',
  'E',
  'L',
  'T',
];
const alike = {
  es: new Set([
    ...NAMES,
    'Webhooks',
    'No',
    'Original',
    'Color',
    'Video',
    'escriba open (abierto) o closed (cerrado)',
  ]),
  pl: new Set([
    ...NAMES,
    'Online',
    'Offline',
    'P',
    'System',
    'Folder',
    'Login',
    'Plan',
    'Webhook',
    'Home',
    'End',
    'Delete',
    'Page Up',
    'Page Down',
    'Shift',
    'wpisz open (otwarte) lub closed (zamknięte)',
  ]),
};
const leftOver =
  /(?<!\p{L})(the|and|is|are|was|were|not|with|this|that|your|you|from|for|it|its|has|have|near miss(es)?|photos|saved|sent|delivered|waiting|files?|records?|server|again|when|where|what|how|choose|nothing|everything|settings|open|close|delete|add|added|remove|new|next|previous|of|by|on)(?!\p{L})/iu;

it.each(languages)('every word is whole, whatever it is given: %s', (language) => {
  const broken = [...catalogues[language]].flatMap(([path, word]) =>
    said(path, word).length === 0 || (typeof word === 'string' && !isWhole(word)) ? [path] : [],
  );
  expect(broken).toEqual([]);
});

describe.each(['es', 'pl'] as const)('%s', (language) => {
  const catalogue = catalogues[language];

  it('has the words of English and no others, beside the names of the catalog', () => {
    const spoken = [...catalogue.keys()].filter((path) => !path.includes('catalog_names.'));
    expect(spoken.sort()).toEqual([...catalogues.en.keys()].sort());
  });

  it('takes what English takes', () => {
    const other = [...catalogues.en].filter(([path, word]) => {
      const spoken = catalogue.get(path);
      return spoken === undefined || typeof spoken !== typeof word;
    });
    expect(other).toEqual([]);
  });

  it('says nothing in English', () => {
    const left = [...catalogue].flatMap(([path, word]) =>
      said(path, word)
        .map((text) => text.replaceAll(/Xyz|Zyx|https:\S+/gu, ''))
        .filter((text) => !alike[language].has(text.trim()) && !numbersOnly.test(text))
        .filter((text) => leftOver.test(text) || text === catalogues.en.get(path))
        .slice(0, 1)
        .map((text) => `${path}: ${text}`),
    );
    expect(left).toEqual([]);
  });

  it('keeps numbers, quotes and trademarks: what English fills in is filled in here too', () => {
    const lost = [...catalogues.en].flatMap(([path, word]) => {
      const spoken = catalogue.get(path);
      if (typeof word === 'string' || typeof spoken !== 'function') return [];
      const names = (texts: readonly string[]) => texts.some((text) => text.includes('Xyz'));
      return names(said(path, word)) === names(said(path, spoken)) ? [] : [path];
    });
    expect(lost).toEqual([]);
  });

  it('has one letter for each tool, and another one to rotate', () => {
    const { keys, turn_key } = others[language].markup;
    const letters = [...Object.values(keys), turn_key];
    expect(new Set(letters).size).toBe(letters.length);
    for (const key of letters) expect(key).toMatch(/^[A-Z]$/);
  });
});

describe('Spanish', () => {
  it('counts, dates and sizes as Spanish does', () => {
    expect(spanish.list.photos(1)).toBe('1 foto');
    expect(spanish.list.photos(2)).toBe('2 fotos');
    expect(spanish.pill.offline(1)).toBe('Sin conexión · 1 pendiente');
    // Overdue follow-ups count too.
    expect(spanish.follow_up.due_count(8)).toBe('Seguimientos, 8 para hoy o antes');
    expect(spanish.shift.due(1)).toBe('seguimiento para hoy o antes');
    expect(spanish.format.near(NOW, NOW)).toBe('hoy 12:00');
    expect(spanish.format.near(NOW - 86_400_000, NOW)).toBe('ayer 12:00');
    expect(spanish.format.moment(NOW)).toBe('21 nov 2026, 12:00');
    expect(spanish.format.span(240_000)).toBe('4 minutos');
    expect(spanish.format.bytes(4_102_338)).toBe('4.1 MB');
    expect(spanish.format.list(['arco', 'viga', 'eje'])).toBe('arco, viga y eje');
  });
});

describe('Polish', () => {
  const numbers = [0, 1, 2, 5, 12, 22, 25];

  it('has a form for 1, for 2 to 4 and for the rest, but for 12 to 14', () => {
    expect(numbers.map(polish.list.photos)).toEqual([
      '0 zdjęć',
      '1 zdjęcie',
      '2 zdjęcia',
      '5 zdjęć',
      '12 zdjęć',
      '22 zdjęcia',
      '25 zdjęć',
    ]);
    expect(numbers.map(polish.list.shown)).toEqual([
      'Pokazano 0 zdarzeń',
      'Pokazano 1 zdarzenie',
      'Pokazano 2 zdarzenia',
      'Pokazano 5 zdarzeń',
      'Pokazano 12 zdarzeń',
      'Pokazano 22 zdarzenia',
      'Pokazano 25 zdarzeń',
    ]);
    expect(numbers.map((n) => polish.pill.needs_you(n, n))).toEqual([
      '0 wymaga uwagi',
      '1 wymaga uwagi',
      '2 wymagają uwagi',
      '5 wymaga uwagi',
      '12 wymaga uwagi',
      '22 wymagają uwagi',
      '25 wymaga uwagi',
    ]);
    // The number is shown apart.
    expect([1, 3, 5].map(polish.shift.fresh)).toEqual([
      'nowe zdarzenie',
      'nowe zdarzenia',
      'nowych zdarzeń',
    ]);
    // After a preposition the noun takes another case.
    expect([1, 2].map(polish.insights.worst_of)).toEqual([
      'spośród 1 zdarzenia',
      'spośród 2 zdarzeń',
    ]);
  });

  it('counts, dates and sizes as Polish does', () => {
    expect(polish.format.near(NOW, NOW)).toBe('dzisiaj 12:00');
    expect(polish.format.near(NOW - 86_400_000, NOW)).toBe('wczoraj 12:00');
    expect(polish.format.moment(NOW)).toBe('21 lis 2026, 12:00');
    expect(polish.format.span(240_000)).toBe('4 minuty');
    expect(polish.format.span(1_000)).toBe('1 sekunda');
    expect(polish.format.bytes(4_102_338)).toBe('4,1 MB');
    expect(polish.format.number(12_500).replace(/\s/u, ' ')).toBe('12 500');
    expect(polish.format.list(['łuk', 'belka', 'oś'])).toBe('łuk, belka i oś');
  });

  it('quotes as Polish does, and writes no straight or English quotation mark', () => {
    const wrong = [...catalogues.pl].flatMap(([path, word]) =>
      said(path, word)
        .filter(
          (text) =>
            /["“'’]/u.test(text) ||
            (text.match(/„/gu) ?? []).length !== (text.match(/”/gu) ?? []).length,
        )
        .slice(0, 1)
        .map((text) => `${path}: ${text}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe('the language', () => {
  afterEach(() => speak('en'));

  it('is the one that was chosen, else the first that this computer’s user reads', () => {
    expect(languageOf('es', ['en-US'])).toBe('es');
    expect(languageOf('en', ['es-MX'])).toBe('en');
    expect(languageOf('system', ['de-DE', 'es-419', 'en-US'])).toBe('es');
    expect(languageOf('system', ['fr-FR', 'en-US', 'es-MX'])).toBe('en');
    expect(languageOf('system', ['fr-FR'])).toBe('en');
    expect(languageOf('pl', ['en-US'])).toBe('pl');
    expect(languageOf('system', ['nb-NO', 'pl-PL', 'en-GB'])).toBe('pl');
    expect(languageOf('system', ['es-MX', 'pl'])).toBe('es');
  });

  it('is spoken by the one binding that screens import', async () => {
    await speak('es');
    expect(words.app.near_misses).toBe('Casi accidentes');
    await speak('pl');
    expect(words.app.near_misses).toBe('Zdarzenia');
    await speak('en');
    expect(words.app.near_misses).toBe('Near misses');
  });
});

describe('English', () => {
  beforeEach(() => speak('en'));

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
    expect(words.capture.fix(1)).toBe('1 field to complete:');
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
    expect(words.detail.receipt_size(4_102_338, NOW)).toContain('4,102,338 B · checked 21 Nov');
  });
});
