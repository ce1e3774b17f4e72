/** Pure: a title in pieces, so that the words that were searched for are marked in it. Folded as the search folds. */
import { fold } from '../../../contract/fold.ts';

interface Piece {
  readonly text: string;
  readonly marked: boolean;
}

export const piecesOf = (text: string, query: string): readonly Piece[] => {
  const words = fold(query).split(/\s+/u).filter(Boolean);
  if (words.length === 0) return [{ text, marked: false }];
  const letters = [...text];
  // Which letter each folded one comes from: a letter may fold to none or to several.
  const folded = letters.flatMap((letter, at) => [...fold(letter)].map((one) => ({ one, at })));
  const line = folded.map(({ one }) => one);
  const marked = new Set<number>();
  for (const word of words) {
    const wanted = [...word];
    line.forEach((_one, from) => {
      if (wanted.some((one, step) => line[from + step] !== one)) return;
      for (const { at } of folded.slice(from, from + wanted.length)) marked.add(at);
    });
  }
  const pieces: { text: string; marked: boolean }[] = [];
  letters.forEach((letter, at) => {
    const last = pieces.at(-1);
    if (last?.marked === marked.has(at)) last.text += letter;
    else pieces.push({ text: letter, marked: marked.has(at) });
  });
  return pieces;
};
