/** The status of a vendor's policies, without a screen. */
import { expect, it } from 'vitest';
import {
  byTrouble,
  type Standing,
  worstOf,
} from '../../../src/renderer/screens/company/insurances/view.ts';

const expiring = (days: number): Standing => ({ kind: 'expiring', days });

it('the vendor in the worst standing comes first: expired, then what runs out first, then no end, then all is well', () => {
  const standings: readonly (Standing | null)[] = [
    null,
    { kind: 'no_end' },
    expiring(20),
    { kind: 'expired' },
    expiring(3),
  ];
  expect(standings.toSorted(byTrouble)).toEqual([
    { kind: 'expired' },
    expiring(3),
    expiring(20),
    { kind: 'no_end' },
    null,
  ]);
});

it('a vendor is told by the worst of its policies, not by the one that runs out next', () => {
  expect(worstOf([expiring(3), { kind: 'active' }, { kind: 'expired' }])).toEqual({
    kind: 'expired',
  });
  expect(worstOf([{ kind: 'active' }, { kind: 'exempt' }])).toBeNull();
});
