/** Long texts on a photo: wrapped, complete, inside the picture, and selectable where they are drawn. */
import { expect, it } from 'vitest';
import { drawEdits, extentOf } from '../../../../src/renderer/photos/markup/draw.ts';
import { TEXT_MAX, type Shape } from '../../../../src/renderer/photos/markup/model.ts';

const frame = { left: 0, top: 0, width: 800, height: 600 };
const textAt = (text: string, x: number, y: number): Shape & { kind: 'text' } => ({
  kind: 'text',
  id: 't',
  colour: 'black',
  size: 3,
  text,
  at: { x, y },
});

/** Draws it on grey and returns the box of all changed pixels. */
const drawn = (shape: Shape) => {
  const context = new OffscreenCanvas(frame.width, frame.height).getContext('2d', {
    willReadFrequently: true,
  });
  if (context === null) throw new Error('no canvas');
  context.fillStyle = '#808080';
  context.fillRect(0, 0, frame.width, frame.height);
  drawEdits(context, frame, { version: 1, shapes: [shape], max_side: null }, () => 0);
  const { data } = context.getImageData(0, 0, frame.width, frame.height);
  const box = { left: Infinity, top: Infinity, right: -1, bottom: -1 };
  for (let at = 0; at < data.length; at += 4) {
    if (Math.abs((data[at] ?? 128) - 128) < 40) continue;
    const [x, y] = [(at / 4) % frame.width, Math.floor(at / 4 / frame.width)];
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  }
  const { left, top, width, height } = extentOf(context, frame, shape);
  return { box, extent: { left, top, right: left + width, bottom: top + height } };
};

const long =
  'Guard rail missing between axis C and D, boards loose, no toe board, harness not worn'.slice(
    0,
    TEXT_MAX,
  );
const places: readonly (readonly [string, string, number, number])[] = [
  ['a long text in the middle', long, 0.5, 0.5],
  ['a long text in the lower right corner', long, 0.97, 0.98],
  ['one word longer than the picture is wide', 'x'.repeat(TEXT_MAX), 0.2, 0.1],
  ['a short text at the right edge', 'Hook', 0.99, 0.5],
];

it.each(places)('%s: whole, within the picture, under its handle', (_, text, x, y) => {
  const { box, extent } = drawn(textAt(text, x, y));
  // Nothing touches the edge, where it would be cut off.
  expect(box.left).toBeGreaterThanOrEqual(0);
  expect(box.right).toBeLessThan(frame.width - 1);
  expect(box.bottom).toBeLessThan(frame.height - 1);
  // The outline extends a little beyond the letters.
  const room = 14;
  expect(box.left).toBeGreaterThan(extent.left - room);
  expect(box.right).toBeLessThan(extent.right + room);
  expect(box.top).toBeGreaterThan(extent.top - room);
  expect(box.bottom).toBeLessThan(extent.bottom + room);
});

it('a text that fits stays on one line, where it was put', () => {
  const { extent } = drawn(textAt('Loose board', 0.25, 0.5));
  expect(extent.left).toBe(200);
  expect((extent.top + extent.bottom) / 2).toBeCloseTo(300);
  expect(extent.bottom - extent.top).toBeLessThan(60);
});
