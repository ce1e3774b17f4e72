/**
 * Decides between Windows-1252 (Western Europe) and Windows-1250 (Central Europe) for a CSV file that is not Unicode.
 * Both decode every byte, so the letters must show it: `Wa³êsa` is no word, `Wałęsa` is one. A person decides if both
 * readings give words. Pure.
 */
export const oldEncodings = ['windows-1252', 'windows-1250'] as const;
export type OldEncoding = (typeof oldEncodings)[number];

/** How the accented letters of an old file were decoded. */
export interface Letters {
  readonly encoding: OldEncoding;
  /** False if both encodings give plausible words, so that a person must choose. */
  readonly is_sure: boolean;
  /** Some words in which the encodings differ, as each decodes them. */
  readonly samples: Readonly<Record<OldEncoding, readonly string[]>>;
}

const SAMPLES_MAX = 3;

interface Language {
  readonly letters: string;
  /** Matches what no word of the language contains. */
  readonly never?: RegExp;
}
/** Letters with the same byte in both encodings; they decide nothing. */
const ALIKE: readonly Language[] = [{ letters: 'äöüß' }];
const languages: Readonly<Record<OldEncoding, readonly Language[]>> = {
  'windows-1252': [
    ...ALIKE,
    { letters: 'áéíóúüñ' },
    { letters: 'àâæçéèêëîïôœùûüÿ', never: /[èê]$/ },
    { letters: 'áâãàçéêíóôõúü', never: /õ(?!e)|ã(?![eo]|n?s?$)/ },
    { letters: 'àèéìíîòóùú', never: /[àìòù]\p{L}/u },
    { letters: 'àçèéíïòóúü', never: /ì/ },
    { letters: 'åäöæøé' },
    { letters: 'áæéíóöúýþð' },
  ],
  'windows-1250': [
    ...ALIKE,
    { letters: 'ąćęłńóśźż', never: /[ńćśź][aeiouyąęó]/ },
    { letters: 'áčďéěíňóřšťúůýž', never: /^ů|[ěů]{2}/ },
    { letters: 'áäčďéíĺľňóôŕšťúýž', never: /[ŕĺ]$/ },
    { letters: 'áéíóöőúüű' },
    { letters: 'ăâîşţ' },
    { letters: 'čćđšž' },
  ],
};

/** Numbers and units with a sign that only Windows-1252 has: `Nº`, `1ª`, `25 m³`, `£5`, `1½`. */
const WITH_SIGN: readonly RegExp[] = [
  /^(?:\d{1,12}|n|m)[ªº]$/iu,
  /^(?:\d{0,12}[cdkm]?m|\d{1,12})[²³¹]$/iu,
  /^[£¥]\d{1,12}$/u,
  /^\d{0,12}[¼½¾]$/u,
];
/** No word is longer; a file of one endless word must not be searched by every pattern. */
const WORD_MAX = 60;

const isWord = (given: string, encoding: OldEncoding): boolean => {
  const western = encoding === 'windows-1252';
  if (given.length > WORD_MAX) return false;
  if (western && WITH_SIGN.some((sign) => sign.test(given))) return true;
  const word = (western ? given.replace(/^[¿¡]{1,3}/u, '') : given).toLowerCase();
  if (/\p{Ll}\p{Lu}/u.test(given.slice(0, -1)) || /[^\p{L}\d]/u.test(word)) return false;
  // A word of Central Europe has two letters and a vowel, and no digit.
  if (!western && !/^(?=.*[aeiouyąęóáéíúýěůőűöüäâăîôrl])\p{L}{2,}$/u.test(word)) return false;
  return languages[encoding].some(
    ({ letters, never }) =>
      [...word].every((one) => one < '\u0080' || letters.includes(one)) && !never?.test(word),
  );
};

/** @returns null if both encodings decode the file alike */
export function lettersOf(bytes: Uint8Array, chosen?: OldEncoding): Letters | null {
  const [western, central] = oldEncodings.map((name) => new TextDecoder(name).decode(bytes)) as [
    string,
    string,
  ];
  const words: { readonly western: string; readonly central: string }[] = [];
  // Each byte is one character in both texts. A sign that both decode alike ends a word.
  for (let at = 0, from = 0; at <= western.length; at += 1) {
    const [one = ' ', other = ' '] = [western[at], central[at]];
    if (one !== other || /[\p{L}\d]/u.test(one)) continue;
    const found = { western: western.slice(from, at), central: central.slice(from, at) };
    if (found.western !== found.central) words.push(found);
    from = at + 1;
  }
  if (words.length === 0) return null;
  const count = (encoding: OldEncoding, of: 'western' | 'central') =>
    words.filter((word) => isWord(word[of], encoding)).length;
  const [as_western, as_central] = [
    count('windows-1252', 'western'),
    count('windows-1250', 'central'),
  ];
  const some = [...new Map(words.map((word) => [word.western, word])).values()].slice(
    0,
    SAMPLES_MAX,
  );
  return {
    encoding: chosen ?? (as_central > as_western ? 'windows-1250' : 'windows-1252'),
    is_sure: chosen !== undefined || as_western !== as_central,
    samples: {
      'windows-1252': some.map((word) => word.western),
      'windows-1250': some.map((word) => word.central),
    },
  };
}
