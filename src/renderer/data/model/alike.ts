/**
 * Finds near misses that describe an event in similar words to a text being written. Pure. A word weighs more the
 * fewer records contain it (inverse document frequency). A record that shares only one word does not match.
 */
import { fold } from '../../../contract/text/fold.ts';

export interface AlikeRecord {
  readonly key: string;
  readonly created_at: number;
  /** Folded. */
  readonly text: string;
  /** Location; '' when unknown. */
  readonly place: string;
}

export interface Alike {
  /** The best matches first, at most three. */
  readonly keys: readonly string[];
  readonly count: number;
  /** The most frequent location and its count; '' when no match has a location. */
  readonly place: string;
  readonly at_place: number;
}

export const nothingAlike: Alike = { keys: [], count: 0, place: '', at_place: 0 };

const SHOWN = 3;
/** Share of the typed words' total weight that a match must reach. */
const ENOUGH = 0.5;
/** Ignores words under four characters, which are mostly function words. */
const WORD = /[\p{L}\p{N}]{4,}/gu;
const WORDS_MAX = 12;

const mostNamed = (records: readonly AlikeRecord[]): Pick<Alike, 'place' | 'at_place'> => {
  const by = Map.groupBy(records, ({ place }) => place);
  by.delete('');
  const [place, those] = [...by].sort((a, b) => b[1].length - a[1].length)[0] ?? ['', []];
  return { place, at_place: those.length };
};

/** @param text the text as typed */
export const alikeOf = (text: string, records: readonly AlikeRecord[]): Alike => {
  const words = [...new Set(fold(text).match(WORD) ?? [])].slice(0, WORDS_MAX);
  if (words.length < 2) return nothingAlike;
  const having = words.map((word) => records.filter((one) => one.text.includes(word)));
  const weights = having.map(({ length }) =>
    length === 0 ? 0 : Math.log(1 + records.length / length),
  );
  const scores = new Map<AlikeRecord, { score: number; words: number }>();
  for (const [at, those] of having.entries())
    for (const one of those) {
      const had = scores.get(one) ?? { score: 0, words: 0 };
      scores.set(one, { score: had.score + (weights[at] ?? 0), words: had.words + 1 });
    }
  // A word in no record gets a weight of ln 2, like a word in every record.
  const whole = weights.reduce((sum, weight) => sum + (weight || Math.LN2), 0);
  const alike = [...scores]
    .filter(([, { score, words: shared }]) => shared > 1 && score >= whole * ENOUGH)
    .sort(([a, x], [b, y]) => y.score - x.score || b.created_at - a.created_at)
    .map(([one]) => one);
  const keys = alike.slice(0, SHOWN).map(({ key }) => key);
  return { keys, count: alike.length, ...mostNamed(alike) };
};
