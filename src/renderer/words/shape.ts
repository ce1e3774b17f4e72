/**
 * The shape that every language must have, taken from English. Languages import it from here rather than from each other.
 */
import type { words as english } from './en.ts';
import type { first } from './en/first.ts';

/** The type of English with any string as a sentence. A language that lacks a word does not compile. */
type Sentences<T> = T extends string
  ? string
  : T extends (...given: infer G) => infer R
    ? (...given: G) => Sentences<R>
    : T extends object
      ? { readonly [K in keyof T]: Sentences<T[K]> }
      : T;
export type Words = Sentences<typeof english>;
/** Without the sentences of the company's screens. */
export type FirstWords = Sentences<typeof first>;
