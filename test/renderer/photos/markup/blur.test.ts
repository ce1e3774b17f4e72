/**
 * A blur is irreversible: pixels drawn by the real worker, measured as an attacker would. No edge is left and nothing can be
 * compared.
 */
import { describe, expect, it } from 'vitest';
import { box, drawn, edits, green, pixelsOf } from '../../../support/renderer-markup.ts';
import { slow, SLOW } from '../../../support/slow.ts';

/** A lossless picture with a number plate. */
const PLATE = { x: 200, y: 150, width: 240, height: 60 };
const plate = async (letters: string): Promise<Blob> => {
  const canvas = new OffscreenCanvas(640, 480);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('no canvas');
  context.fillStyle = '#7799aa';
  context.fillRect(0, 0, 640, 480);
  context.fillStyle = '#ffffff';
  context.fillRect(PLATE.x, PLATE.y, PLATE.width, PLATE.height);
  context.fillStyle = '#000000';
  context.font = '700 48px monospace';
  context.textBaseline = 'middle';
  context.fillText(letters, PLATE.x + 6, PLATE.y + 32, PLATE.width - 12);
  return canvas.convertToBlob({ type: 'image/png' });
};
const overPlate = box('blur', 200 / 640, 150 / 480, 240 / 640, 60 / 480);
/** Green values inside the plate, a few pixels from its edge. */
const inPlate = (pixels: ImageData): number[] => {
  const values: number[] = [];
  for (let y = PLATE.y + 4; y < PLATE.y + PLATE.height - 4; y += 1)
    for (let x = PLATE.x + 4; x < PLATE.x + PLATE.width - 4; x += 1)
      values.push(green(pixels, x, y));
  return values;
};
const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
/** Mean square difference between horizontal neighbours, which letters have. */
const sharpness = (values: readonly number[]): number => {
  const wide = PLATE.width - 8;
  return mean(
    values.map((value, at) => (at % wide === 0 ? 0 : (value - (values[at - 1] ?? 0)) ** 2)),
  );
};
/** Correlation, as an attacker uses it: the same letters and others, blurred by the same program. */
const correlation = (one: readonly number[], other: readonly number[]): number => {
  const [a, b] = [mean(one), mean(other)];
  let [ab, aa, bb] = [0, 0, 0];
  one.forEach((value, at) => {
    const [x, y] = [value - a, (other[at] ?? 0) - b];
    ab += x * y;
    aa += x * x;
    bb += y * y;
  });
  return ab / Math.sqrt(Math.max(1e-9, aa * bb));
};

describe('blur', () => {
  slow(
    'letters under it are gone: no edge is left, and they compare no better than others',
    async () => {
      const letters = ['B SP 1048', 'M XK 7731', 'W WW 1111', 'K QO 8080'];
      const plain = await Promise.all(
        letters.map(async (one) => inPlate(await pixelsOf(await plate(one)))),
      );
      const hidden = inPlate(
        await pixelsOf(await drawn(await plate(letters[0] ?? ''), edits(overPlate))),
      );
      const [own, ...others] = plain;
      if (own === undefined) return;
      // Letters have edges; the blurred result has only gradients.
      expect(sharpness(own)).toBeGreaterThan(400);
      expect(sharpness(hidden)).toBeLessThan(sharpness(own) / 100);
      expect(Math.abs(correlation(own, hidden))).toBeLessThan(0.35);
      const best = Math.max(...others.map((other) => correlation(other, hidden)));
      expect(correlation(own, hidden) - best).toBeLessThan(0.2);
    },
  );

  slow('it goes up to the edge of its area, and one pixel on; nothing else changes', async () => {
    const file = await plate('B SP 1048');
    const before = await pixelsOf(file);
    const after = await pixelsOf(await drawn(file, edits(overPlate)));
    let elsewhere = 0;
    // JPEG works in blocks of 16 pixels: beyond those nothing may differ.
    for (let y = 0; y < 480; y += 1)
      for (let x = 0; x < 640; x += 1) {
        const near = x > 182 && x < 458 && y > 132 && y < 228;
        if (!near && Math.abs(green(before, x, y) - green(after, x, y)) > 6) elsewhere += 1;
      }
    expect(elsewhere).toBe(0);
  });

  it.each([12, 20, 40])('an area of %i pixels is destroyed too', SLOW, async (side) => {
    const canvas = new OffscreenCanvas(400, 400);
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('no canvas');
    context.fillStyle = '#808080';
    context.fillRect(0, 0, 400, 400);
    // A checkerboard of two pixels: as sharp as a small face gets.
    for (let y = 0; y < side; y += 2)
      for (let x = 0; x < side; x += 2) {
        context.fillStyle = (x + y) % 4 === 0 ? '#000000' : '#ffffff';
        context.fillRect(160 + x, 160 + y, 2, 2);
      }
    const file = await canvas.convertToBlob({ type: 'image/png' });
    const blur = box('blur', 0.4, 0.4, side / 400, side / 400);
    const [before, after] = [await pixelsOf(file), await pixelsOf(await drawn(file, edits(blur)))];
    const edges = (pixels: ImageData) => {
      let sum = 0;
      for (let y = 162; y < 160 + side - 2; y += 1)
        for (let x = 162; x < 160 + side - 2; x += 1)
          sum += (green(pixels, x, y) - green(pixels, x - 1, y)) ** 2;
      return sum / (side - 4) ** 2;
    };
    expect(edges(before)).toBeGreaterThan(10_000);
    expect(edges(after)).toBeLessThan(150);
  });
});
