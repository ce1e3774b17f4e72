/** [ours] Replaces the names of other people in the texts of a person's copy (decisions §22.3). Pure. */
import { fold } from '../../../contract/text/fold.ts';
import { knownNames, namesFound, withoutNames } from '../../../contract/text/without-names.ts';

const INSTEAD = '[name]';

const partsOf = (names: readonly string[]): ReadonlySet<string> =>
  new Set(names.flatMap((name) => fold(name).split(/[\s-]+/)));

/**
 * Full names, logins and addresses go in any case. Of people who are named in full somewhere in the copy the parts of their names go too,
 * unless the person has the same.
 * @param everybody names and logins of all in the company
 * @param own names of the person, which stay
 * @param texts all texts of the copy
 */
export const othersMasked = (
  everybody: readonly string[],
  own: readonly string[],
  texts: Iterable<string>,
): ((text: string) => string) => {
  const ownNames = new Set(own.map(fold));
  const others = everybody.filter((name) => !ownNames.has(fold(name)));
  const whole = knownNames([], others);
  const named = new Set<string>();
  for (const text of texts) for (const name of namesFound(text, whole)) named.add(name);
  const ownParts = partsOf(own);
  const parts = knownNames([...named]).parts.filter((part) => !ownParts.has(fold(part)));
  return (text) => withoutNames(text, { whole: whole.whole, parts }, INSTEAD);
};
