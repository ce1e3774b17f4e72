/** Pure: how the gallery lies: a heading for each day on which something was reported, and under it its photos, so many to a line. */
import { localDay } from '../../data/local-day.ts';

export type GalleryLine =
  | { readonly kind: 'day'; readonly at: number }
  /** The photos from `from` up to and without `to`, of all that are shown. */
  | { readonly kind: 'photos'; readonly from: number; readonly to: number };

/** `moments`: when the near miss of each photo was reported, in the order the photos are shown. */
export const linesOf = (moments: readonly number[], columns: number): readonly GalleryLine[] => {
  const lines: GalleryLine[] = [];
  let from = 0;
  while (from < moments.length) {
    const at = moments[from] ?? 0;
    const day = localDay(at);
    let end = from + 1;
    while (end < moments.length && localDay(moments[end] ?? 0) === day) end += 1;
    lines.push({ kind: 'day', at });
    for (let start = from; start < end; start += columns)
      lines.push({ kind: 'photos', from: start, to: Math.min(end, start + columns) });
    from = end;
  }
  return lines;
};

/** The line that a photo is in. */
export const lineOf = (lines: readonly GalleryLine[], photo: number): number =>
  lines.findIndex((line) => line.kind === 'photos' && photo >= line.from && photo < line.to);

/** The photo above or below one: in the same column where that line is so long, else its last; the same one where there is none. */
export const beside = (lines: readonly GalleryLine[], photo: number, down: boolean): number => {
  const at = lineOf(lines, photo);
  const own = lines[at];
  const others = lines.flatMap((line, index) =>
    line.kind === 'photos' && (down ? index > at : index < at) ? [line] : [],
  );
  const next = others.at(down ? 0 : -1);
  return own?.kind !== 'photos' || next === undefined
    ? photo
    : Math.min(next.to - 1, next.from + photo - own.from);
};
