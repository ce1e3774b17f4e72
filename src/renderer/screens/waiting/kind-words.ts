/** What a queued change is called: a kind without a word does not compile. */
import { factsOf, type Kind } from '../../entries/entry.ts';
import { words } from '../../words/words.ts';

/** A kind of another Spotter is told by its own name. */
export const kindWord = (kind: string): string => {
  const said: Readonly<Record<Kind, string>> = words.waiting.operations;
  return Object.hasOwn(said, kind) ? said[kind as Kind] : kind;
};

/** Of a near miss or its photos. */
export const ofNearMiss = ({ kind }: { readonly kind: string }): boolean => {
  const record = factsOf(kind)?.record;
  return record === 'near_miss' || record === 'photo';
};
