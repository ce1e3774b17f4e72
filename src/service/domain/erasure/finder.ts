/** [ours] Finds one person's name in texts, and replaces it (decisions §21.1). Pure. Uses the name finder of exports and packs. */
import { namesFound, withoutNames, type KnownNames } from '../../../contract/text/without-names.ts';
import { richTextTags } from '../../../contract/text/rich-text.ts';
import { plainTextOf } from '../rich-text.ts';

/** `whole`: a whole name or address. `part`: a first or last name alone, which may be somebody else's. */
export type Match = 'whole' | 'part' | null;

export interface Finder {
  readonly names: readonly string[];
  readonly find: (text: string) => Match;
  /** One line around the first place. */
  readonly excerpt: (text: string) => string;
  readonly without: (text: string, instead: string) => string;
}

/** Shorter parts ("de", "Al") occur in ordinary text. */
const PART_MIN = 3;

/** `Ana Ruiz` as file names, addresses and lists write it: `ana_ruiz`, `ana.ruiz`, `anaruiz`, `ana%20ruiz`, `Ruiz, Ana`. */
const spellingsOf = (name: string): readonly string[] => {
  const words = name.normalize('NFC').trim().split(/\s+/);
  if (words.length === 1) return [name.trim()];
  const [last = ''] = words.slice(-1);
  const first = words.slice(0, -1).join(' ');
  const joined = ['_', '.', '', '%20', '+'].map((between) => words.join(between));
  const whole = words.join(' ');
  return [whole, ...joined, encodeURIComponent(whole), `${last}, ${first}`, `${last} ${first}`];
};

const partsOf = (name: string): readonly string[] =>
  /\s/.test(name)
    ? name
        .normalize('NFC')
        .split(/\s+/)
        .filter((part) => part.length >= PART_MIN && part !== part.toLowerCase())
    : [];

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Characters before and after the name. */
const AROUND = 60;

const TAG = new RegExp(`(</?(?:${richTextTags.join('|')})(?=[\\s/>])[^<>]*>)`, 'i');
const ADDRESS = /\shref="([^"]*)"/i;

/** Text and tags in turn: the name of a tag is no name of a person, who may be called Li or Strong. */
const partsOfRich = (text: string): readonly string[] => text.split(TAG);

const isRich = (text: string): boolean => /[<&]/.test(text);

const withoutTags = (text: string): string =>
  partsOfRich(text)
    .map((part, at) => (at % 2 === 0 ? part : ` ${ADDRESS.exec(part)?.[1] ?? ''} `))
    .join('');

const has = (text: string, known: KnownNames): boolean =>
  namesFound(withoutTags(text), known).length > 0 ||
  (isRich(text) && namesFound(plainTextOf(text), known).length > 0);

/** @param names the name, and what the person is also called */
export const finderOf = (names: readonly string[]): Finder => {
  const whole = { whole: [...new Set(names.flatMap(spellingsOf))], parts: [] };
  const known = { ...whole, parts: [...new Set(names.flatMap(partsOf))] };
  return {
    names,
    find: (text) => (has(text, whole) ? 'whole' : has(text, known) ? 'part' : null),
    excerpt: (text) => {
      const line = (isRich(text) ? plainTextOf(text) : text).normalize('NFC').replace(/\s+/g, ' ');
      const [found = ''] = namesFound(line, known);
      const at = Math.max(0, line.indexOf(found));
      const [from, to] = [Math.max(0, at - AROUND), at + found.length + AROUND];
      return `${from > 0 ? '…' : ''}${line.slice(from, to).trim()}${to < line.length ? '…' : ''}`;
    },
    without: (text, instead) => {
      const masked = partsOfRich(text)
        .map((part, at) => {
          if (at % 2 === 0) return withoutNames(part, known, instead);
          // A link loses an address with the name.
          return has(part, known) ? part.replace(ADDRESS, '') : part;
        })
        .join('');
      if (!isRich(text)) return masked;
      // Tags may split a name, and an ampersand may be in it: then the text alone stays.
      const plain = withoutNames(plainTextOf(text), known, instead);
      return plain === plainTextOf(masked).normalize('NFC') ? masked : escaped(plain);
    },
  };
};

/** All texts of a JSON value, replaced. */
const replacedIn = (value: unknown, replace: (text: string) => string): unknown => {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((one) => replacedIn(one, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, replacedIn(one, replace)]),
  );
};

/** @returns undefined if the text is no JSON of an object or a list */
const parsed = (text: string): unknown => {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const textsOf = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
};

/** The texts in a text that may be JSON, in a line each. */
export const textsIn = (text: string): string => {
  const value = parsed(text);
  return value === undefined ? text : textsOf(value).join('\n');
};

/** Replaces in a text that may be JSON, where a name may be spelt with escapes. A text without the name stays as it is. */
export const replacedInText = (text: string, replace: (text: string) => string): string => {
  const value = parsed(text);
  if (value === undefined) return replace(text);
  const next = JSON.stringify(replacedIn(value, replace));
  return next === JSON.stringify(value) ? text : next;
};
