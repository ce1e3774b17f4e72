/** An enlarged picture stays under the fingers and in view. */
import { expect, it } from 'vitest';
import {
  createFingers,
  panned,
  SCALE_MAX,
  whole,
  zoomed,
} from '../../../src/renderer/parts/photo/zoom.ts';

const size = { width: 800, height: 600 };

it('what is under the pointer stays there, and no edge comes inside the frame', () => {
  const at = { x: 100, y: -50 };
  const view = zoomed(whole, 2, size, at);
  expect(view).toEqual({ scale: 2, x: -100, y: 50 });
  // The same point is under it after a second step.
  const again = zoomed(view, 2, size, at);
  expect((at.x - again.x) / again.scale).toBeCloseTo((at.x - view.x) / view.scale);
  expect(panned(view, 10_000, -10_000, size)).toEqual({ scale: 2, x: 400, y: -300 });
  expect(zoomed(again, 0.01, size)).toEqual({ scale: 1, x: 0, y: 0 });
  expect(zoomed(view, 100, size).scale).toBe(SCALE_MAX);
  expect(panned(whole, 50, 50, size)).toEqual(whole);
});

it('two fingers tell how far they went apart and where; one tells nothing', () => {
  const fingers = createFingers();
  const at = (pointerId: number, clientX: number, clientY: number) =>
    new PointerEvent('pointermove', { pointerId, clientX, clientY });
  fingers.down(at(1, 100, 100));
  expect(fingers.move(at(1, 110, 100))).toBeNull();
  fingers.down(at(2, 210, 100));
  expect(fingers.move(at(2, 310, 100))).toEqual({ by: 2, at: { x: 210, y: 100 }, dx: 50, dy: 0 });
  fingers.up(at(1, 0, 0));
  expect(fingers.move(at(2, 0, 0))).toBeNull();
});
