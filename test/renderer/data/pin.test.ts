/** The text of a pin (decisions §17.4): written, read and counted. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/contract/rest/plans/plans.ts';
import {
  isWithin,
  pinField,
  placeOfPin,
  planLabel,
  readPin,
  sortPlans,
  writePin,
} from '../../../src/renderer/data/model/pin.ts';
import { isOnPlan } from '../../../src/renderer/data/model/near-miss-query.ts';
import { heatCells, pinsIn } from '../../../src/renderer/screens/plans/heat.ts';

const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const points = fc.record({ x: fraction, y: fraction });

describe('decisions §17.4: the text of a pin', () => {
  it('decisions §17.4: is readable, and is read back', () => {
    const pin = { label: 'Level 3 (A-103)', x: 0.42, y: 0.61, revision_id: 57 };
    expect(writePin(pin)).toBe('Level 3 (A-103) @0.42,0.61 #57');
    expect(readPin('Level 3 (A-103) @0.42,0.61 #57')).toEqual(pin);
    expect(readPin('  @0,1 #1 ')).toEqual({ label: '', x: 0, y: 1, revision_id: 1 });
  });

  it('decisions §17.4: whatever plan and place are, what was written is read', () => {
    const labels = fc.string({ unit: 'grapheme', maxLength: 100 });
    const ids = fc.integer({ min: 1, max: 1e14 });
    fc.assert(
      fc.property(labels, points, ids, (label, { x, y }, revision_id) => {
        const text = writePin({ label, x, y, revision_id });
        const read = readPin(text);
        expect(read).not.toBeNull();
        expect(read?.revision_id).toBe(revision_id);
        expect(read?.x).toBeCloseTo(x, 3);
        expect(read?.y).toBeCloseTo(y, 3);
        // Reading and writing again changes nothing.
        expect(read && writePin(read)).toBe(text);
        expect(text).not.toMatch(/[\n\r]/);
      }),
    );
  });

  it('decisions §17.4: a person’s own words, and places outside of the drawing, are no pin', () => {
    for (const text of [
      '',
      'Level 3, beside the stair',
      'Level 3 @0.4,0.6',
      'Level 3 @1.2,0.5 #3',
      'Level 3 @-0.1,0.5 #3',
      'Level 3 @0.4,0.5 #0',
      'Level 3 @0.4, 0.5 #3',
      'Level 3 @.4,.5 #3',
      `${'x'.repeat(600)} @0.4,0.5 #3`,
    ])
      expect(readPin(text), text).toBeNull();
    for (const value of [null, undefined, 7, true, {}]) expect(readPin(value)).toBeNull();
    fc.assert(fc.property(fc.string(), (text) => void readPin(text)));
  });
});

const field = { id: 9, label: '', data_type: 'string', options: [], required: false } as const;

it('decisions §17.4: the field is found by its label in either language, unless it is required', () => {
  const labelled = (label: string, more = {}) => ({ ...field, options: [], label, ...more });
  for (const label of ['Where on the plan', 'WHERE ON THE PLAN:', 'Lugar en el plano'])
    expect(pinField([labelled('Location'), labelled(label)])?.label).toBe(label);
  expect(pinField([labelled('Where on the plan', { required: true })])).toBeUndefined();
  expect(pinField([labelled('Where')])).toBeUndefined();
});

const planOf = (id: number, name: string, number: string | null, ...revisions: number[]): Plan =>
  ({ id, name, number, active: true, revisions: revisions.map((one) => ({ id: one })) }) as Plan;

it('decisions §17.3: a pin keeps its revision, and is on an older drawing when a newer one exists', () => {
  const plans = [planOf(1, 'Site', null, 4), planOf(2, 'Level 3', 'A-103', 9, 5)];
  expect(placeOfPin(plans, { revision_id: 5 })).toMatchObject({
    plan: { id: 2 },
    revision: { id: 5 },
    older: true,
  });
  expect(placeOfPin(plans, { revision_id: 9 })?.older).toBe(false);
  expect(placeOfPin(plans, { revision_id: 7 })).toBeNull();
  expect(plans.map(planLabel)).toEqual(['Site', 'Level 3 (A-103)']);
  const sorted = sortPlans([planOf(1, 'b', 'A-20'), planOf(2, 'a', null), planOf(3, 'c', 'A-3')]);
  expect(sorted.map(({ id }) => id)).toEqual([3, 1, 2]);
});

it('the areas of a plan count every pin once, and an area opens the pins that it counts', () => {
  fc.assert(
    fc.property(fc.array(points), fc.integer({ min: 1, max: 9000 }), (pins, width) => {
      const cells = heatCells(pins, { width, height: 1000 });
      expect(cells.reduce((sum, { count }) => sum + count, 0)).toBe(pins.length);
      for (const cell of cells) {
        expect(pinsIn(pins, cell).length).toBeGreaterThanOrEqual(cell.count);
        for (const pin of pinsIn(pins, cell)) expect(isWithin(pin, cell)).toBe(true);
      }
    }),
  );
});

it('a list finds the pins of every revision of a plan, and of an area', () => {
  const filter = { field: 'custom_field_9', label: 'Level 3', revisions: [5, 9], area: null };
  const area = { left: 0.4, top: 0.5, right: 0.5, bottom: 0.7 };
  expect(isOnPlan(filter, 'Level 3 @0.1,0.1 #5')).toBe(true);
  expect(isOnPlan(filter, 'Level 3 @0.1,0.1 #6')).toBe(false);
  expect(isOnPlan({ ...filter, area }, 'Level 3 @0.45,0.6 #9')).toBe(true);
  expect(isOnPlan({ ...filter, area }, 'Level 3 @0.1,0.1 #9')).toBe(false);
  expect(isOnPlan(filter, null)).toBe(false);
});
