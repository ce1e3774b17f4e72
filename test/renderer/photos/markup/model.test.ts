/** Shapes and their history: after any edit they stay valid and inside the picture, and can be undone and redone. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  endStep,
  historyOf,
  put,
  redo,
  STEPS_MAX,
  undo,
} from '../../../../src/renderer/photos/markup/undo.ts';
import {
  begun,
  boundsOf,
  colours,
  drawnOn,
  inTheMiddle,
  isMarked,
  moved,
  noEdits,
  ordinalOf,
  readEdits,
  resized,
  SHAPES_MAX,
  withoutShape,
  withShape,
  type Edits,
  type ShapeKind,
} from '../../../../src/renderer/photos/markup/model.ts';

const kinds = ['arrow', 'ellipse', 'line', 'text', 'pin', 'blur', 'crop'] as const;
const kind = fc.constantFrom<ShapeKind>(...kinds);
const pen = fc.record({
  colour: fc.constantFrom(...colours),
  size: fc.integer({ min: 1, max: 5 }),
});
/** Includes points outside the picture, because pointers leave it. */
const point = fc.record({
  x: fc.double({ min: -0.5, max: 1.5, noNaN: true }),
  y: fc.double({ min: -0.5, max: 1.5, noNaN: true }),
});
const by = fc.double({ min: -2, max: 2, noNaN: true });

const edits = (...shapes: Edits['shapes']): Edits => ({ ...noEdits(null), shapes });
const red = { colour: 'red', size: 2 } as const;

describe('shapes', () => {
  it('drawn, moved and resized anyhow, a shape is inside the picture and reads back as it was kept', () => {
    const change = fc.record({ does: fc.constantFrom('move', 'resize', 'draw'), dx: by, dy: by });
    fc.assert(
      fc.property(kind, pen, point, point, fc.array(change, { maxLength: 12 }), (...given) => {
        const [what, with_, from, to, changes] = given;
        let shape = begun(what, 'a', with_, from, to);
        for (const { does, dx, dy } of changes) {
          if (does === 'move') shape = moved(shape, dx, dy);
          else if (does === 'resize') shape = resized(shape, dx, dy);
          else shape = drawnOn(shape, { x: dx, y: dy });
        }
        const kept = edits(shape);
        // Rounding may exceed 1 by 2e-16. The schema is strict, so kept values must not.
        expect(readEdits(JSON.parse(JSON.stringify(kept)))).toEqual(kept);
        const { x, y, width, height } = boundsOf(shape);
        for (const value of [x, y, x + width, y + height]) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1 + 1e-9);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('moving keeps the form', () => {
    fc.assert(
      fc.property(kind, pen, point, point, by, by, (what, with_, from, to, dx, dy) => {
        const shape = begun(what, 'a', with_, from, to);
        const [before, after] = [boundsOf(shape), boundsOf(moved(shape, dx, dy))];
        expect(after.width).toBeCloseTo(before.width, 9);
        expect(after.height).toBeCloseTo(before.height, 9);
      }),
    );
  });

  it('every tool has a shape for the middle, of a size that can be seen', () => {
    for (const one of kinds) {
      const shape = inTheMiddle(one, 'a', red);
      expect(readEdits(edits(shape))).toEqual(edits(shape));
      const { width } = boundsOf(shape);
      if (one !== 'text' && one !== 'pin') expect(width).toBeGreaterThan(0.1);
    }
  });

  it('pins are numbered by their order, without a gap when one is taken off', () => {
    const three = edits(...['a', 'b', 'c'].map((id) => inTheMiddle('pin', id, red)));
    expect(three.shapes.map((shape) => ordinalOf(three, shape))).toEqual([1, 2, 3]);
    const two = withoutShape(three, 'b');
    expect(two.shapes.map((shape) => ordinalOf(two, shape))).toEqual([1, 2]);
  });

  it('a second crop takes the place of the first, and more shapes than fit are refused', () => {
    const one = edits(inTheMiddle('crop', 'a', red));
    const other = withShape(one, inTheMiddle('crop', 'b', red));
    expect(other?.shapes.map(({ id }) => id)).toEqual(['b']);
    const full = edits(
      ...Array.from({ length: SHAPES_MAX }, (_, at) => inTheMiddle('pin', `p${at}`, red)),
    );
    expect(withShape(full, inTheMiddle('pin', 'more', red))).toBeNull();
    const first = full.shapes[0];
    if (first) expect(withShape(full, moved(first, 0.1, 0))?.shapes).toHaveLength(SHAPES_MAX);
  });

  it('a text without letters is no mark', () => {
    const text = inTheMiddle('text', 'a', red);
    expect(isMarked(edits(text))).toBe(false);
    expect(isMarked(edits(text, inTheMiddle('blur', 'b', red)))).toBe(true);
  });

  it.each([
    ['another version', { version: 2, shapes: [], max_side: null }],
    ['a kind not known', { version: 1, shapes: [{ kind: 'star', id: 'a' }], max_side: null }],
    ['a word more than agreed', { version: 1, shapes: [], max_side: null, more: 1 }],
    ['two of one id', edits(inTheMiddle('pin', 'a', red), inTheMiddle('pin', 'a', red))],
    [
      'a place outside',
      {
        version: 1,
        shapes: [{ kind: 'pin', id: 'a', ...red, at: { x: 2, y: 0 } }],
        max_side: null,
      },
    ],
  ])('what is kept is read strictly: %s is not', (_name, raw) => {
    expect(readEdits(raw)).toBeNull();
  });
});

describe('history', () => {
  const action = fc.oneof(
    fc.record({ does: fc.constant('put' as const), step: fc.option(fc.constantFrom('x', 'y')) }),
    fc.record({ does: fc.constantFrom('undo', 'redo', 'end') }),
  );

  it('whatever was done, undoing it all is the start and doing it all again is the end', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        let at = 0;
        let history = historyOf(at);
        for (const one of actions) {
          if (one.does === 'put')
            history = put(history, (at += 1), 'step' in one ? one.step : null);
          else if (one.does === 'undo') history = undo(history);
          else if (one.does === 'redo') history = redo(history);
          else history = endStep(history);
        }
        while (history.future.length > 0) history = redo(history);
        const end = history.now;
        const steps = history.past.length;
        for (let n = 0; n < steps; n += 1) history = undo(history);
        expect(history.now).toBe(0);
        expect(undo(history).now).toBe(0);
        for (let n = 0; n < steps; n += 1) history = redo(history);
        expect(history.now).toBe(end);
        expect(redo(history).now).toBe(end);
      }),
    );
  });

  it('a gesture is one step, and what follows it is another', () => {
    let history = historyOf('start');
    for (const now of ['a', 'b', 'c']) history = put(history, now, 'drag 1');
    history = put(endStep(history), 'd', 'drag 1');
    expect(history.past).toEqual(['start', 'c']);
    expect(undo(history).now).toBe('c');
    expect(put(history, 'd').past).toEqual(history.past);
  });

  it('a gesture after an undo does not join the step before it', () => {
    let history = put(historyOf('start'), 'a', 'drag 1');
    history = put(history, 'b', 'drag 2');
    history = put(undo(history), 'c', 'drag 1');
    expect(history.past).toEqual(['start', 'a']);
  });

  it('keeps a bounded number of steps', () => {
    let history = historyOf(0);
    for (let now = 1; now <= STEPS_MAX + 5; now += 1) history = put(history, now);
    expect(history.past).toHaveLength(STEPS_MAX);
  });
});
