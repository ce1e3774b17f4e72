/**
 * Finds a search term in a text, both folded. Pure. Numbers match as a whole: `2` matches `gate 2` and `3-2`, but not
 * `3-42`.
 */
const isDigit = (letter: string | undefined): boolean => letter !== undefined && /\d/.test(letter);

/** True if a digit at either end of the match continues outside it. */
const cutsNumber = (text: string, from: number, to: number): boolean =>
  (isDigit(text[from]) && isDigit(text[from - 1])) || (isDigit(text[to - 1]) && isDigit(text[to]));

/** Position of the first match at or after `at`; -1 if none. */
export function placeOfTerm(text: string, term: string, at = 0): number {
  let from = text.indexOf(term, at);
  while (from >= 0 && cutsNumber(text, from, from + term.length))
    from = text.indexOf(term, from + 1);
  return from;
}

export function holdsTerm(text: string, term: string): boolean {
  return placeOfTerm(text, term) >= 0;
}
