/** Pure: lays out the gallery as lines: a heading per day of report, then that day's photos, `columns` to a line. */
import { localDay } from '../../data/model/local-day.ts';

export type GalleryLine =
  | { readonly kind: 'day'; readonly at: number }
  /** The photos from index `from` up to but excluding `to`. */
  | { readonly kind: 'photos'; readonly from: number; readonly to: number };

/** @param moments when the near miss of each photo was reported, in display order */
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

export const lineOf = (lines: readonly GalleryLine[], photo: number): number =>
  lines.findIndex((line) => line.kind === 'photos' && photo >= line.from && photo < line.to);

/**
 * The photo above or below: in the same column, or the last one of a shorter line. Returns `photo` if there is no such
 * line.
 */
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
