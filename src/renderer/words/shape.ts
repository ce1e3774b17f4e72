/** What every language has to say: the shape of English. A language imports it from here, so that no language imports another. */
import type { words as english } from './en.ts';
import type { first } from './en/first.ts';

/** The shape of English with any sentence in it: a language that lacks one of its words does not compile. */
type Sentences<T> = T extends string
  ? string
  : T extends (...given: infer G) => infer R
    ? (...given: G) => Sentences<R>
    : T extends object
      ? { readonly [K in keyof T]: Sentences<T[K]> }
      : T;
export type Words = Sentences<typeof english>;
/** Without what only the company's screens say. */
export type FirstWords = Sentences<typeof first>;
