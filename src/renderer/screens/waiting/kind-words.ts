/** The names of queued changes. A kind without a word does not compile. */
import { traitsOf, type Kind } from '../../operations/operation.ts';
import { words } from '../../words/company-words.ts';

/** Falls back to the kind's identifier if another version of Spotter made it. */
export const kindWord = (kind: string): string => {
  const said: Readonly<Record<Kind, string>> = words.waiting.operations;
  return Object.hasOwn(said, kind) ? said[kind as Kind] : kind;
};

/** True for a near miss, its photos and its comments. */
export const ofNearMiss = ({ kind }: { readonly kind: string }): boolean => {
  const record = traitsOf(kind)?.record;
  return record === 'near_miss' || record === 'photo' || record === 'comment';
};
