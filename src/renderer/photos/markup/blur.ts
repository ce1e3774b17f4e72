/**
 * Blurs an area of a picture irreversibly. The area is averaged into at most six cells along its longer side, fewer
 * than one per character of a number plate. Each cell's colour is shifted randomly, and the area is filled with
 * gradients between them. Only those few averages remain, so there is no filter to reverse and no cell small enough to
 * compare letters with.
 */
export type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** In whole pixels of the canvas; right and bottom are exclusive. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const CELLS_MAX = 6;
/** The smallest cell, in pixels. */
const CELL_MIN = 8;
/** Rows processed at once, so that 48 megapixels are not in memory twice. */
const BAND = 128;

/** A cryptographically random number from -10 to 10, so that the blur cannot be computed back. */
export const chance = (): number => ((crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) % 21) - 10;

const cellsOf = (width: number, height: number): readonly [number, number] => {
  const long = Math.max(width, height);
  const most = Math.min(CELLS_MAX, Math.max(1, Math.floor(long / CELL_MIN)));
  const along = (length: number) => Math.max(1, Math.round((most * length) / long));
  return [along(width), along(height)];
};

/** For each pixel of a length: its two neighbouring cells and its distance from the first. */
const passages = (length: number, cells: number) => {
  const first = new Uint8Array(length);
  const second = new Uint8Array(length);
  const share = new Float32Array(length);
  for (let at = 0; at < length; at += 1) {
    const place = Math.min(cells - 1, Math.max(0, ((at + 0.5) * cells) / length - 0.5));
    first[at] = Math.floor(place);
    second[at] = Math.min(cells - 1, Math.floor(place) + 1);
    share[at] = place - Math.floor(place);
  }
  return { first, second, share };
};

const averages = (
  context: Context,
  { left, top, right, bottom }: Area,
  noise: () => number,
): Float64Array => {
  const [width, height] = [right - left, bottom - top];
  const [columns, rows] = cellsOf(width, height);
  const sums = new Float64Array(columns * rows * 3);
  const counts = new Float64Array(columns * rows);
  for (let band = top; band < bottom; band += BAND) {
    const high = Math.min(BAND, bottom - band);
    const { data } = context.getImageData(left, band, width, high);
    for (let y = 0; y < high; y += 1) {
      const row = Math.floor(((band - top + y) * rows) / height);
      for (let x = 0; x < width; x += 1) {
        const cell = row * columns + Math.floor((x * columns) / width);
        const from = (y * width + x) * 4;
        counts[cell] = (counts[cell] ?? 0) + 1;
        for (let channel = 0; channel < 3; channel += 1)
          sums[cell * 3 + channel] = (sums[cell * 3 + channel] ?? 0) + (data[from + channel] ?? 0);
      }
    }
  }
  return sums.map((sum, at) => sum / Math.max(1, counts[Math.floor(at / 3)] ?? 1) + noise());
};

export const blurArea = (context: Context, area: Area, noise: () => number): void => {
  const { left, top, right, bottom } = area;
  const [width, height] = [right - left, bottom - top];
  if (width < 1 || height < 1) return;
  const [columns, rows] = cellsOf(width, height);
  const cells = averages(context, area, noise);
  const across = passages(width, columns);
  const down = passages(height, rows);
  for (let band = top; band < bottom; band += BAND) {
    const high = Math.min(BAND, bottom - band);
    const drawn = new ImageData(width, high);
    const { data } = drawn;
    for (let y = 0; y < high; y += 1) {
      const line = band - top + y;
      const upper = (down.first[line] ?? 0) * columns;
      const lower = (down.second[line] ?? 0) * columns;
      const v = down.share[line] ?? 0;
      for (let x = 0; x < width; x += 1) {
        const [one, two, u] = [across.first[x] ?? 0, across.second[x] ?? 0, across.share[x] ?? 0];
        const to = (y * width + x) * 4;
        for (let channel = 0; channel < 3; channel += 1) {
          const at = (cell: number) => cells[cell * 3 + channel] ?? 0;
          const over = at(upper + one) * (1 - u) + at(upper + two) * u;
          const under = at(lower + one) * (1 - u) + at(lower + two) * u;
          data[to + channel] = over * (1 - v) + under * v;
        }
        data[to + 3] = 255;
      }
    }
    context.putImageData(drawn, left, band);
  }
};
