/** The total progress bar of photos: delivered photos stay in the sum, and a restarted photo keeps its progress. */
import { describe, expect, it } from 'vitest';
import { createTrafficRun } from '../../../src/renderer/screens/waiting/traffic-run.ts';

const photo = (photo_id: string, size = 100, sent = false) => ({ photo_id, size, sent });
const none: ReadonlySet<string> = new Set();

describe('createTrafficRun', () => {
  it('never runs backwards: not when a photo is delivered, not when one begins again', () => {
    const run = createTrafficRun();
    const two = [photo('a'), photo('b')];
    expect(run.follow(two, (id) => (id === 'a' ? 60 : 0), none)).toEqual({ sent: 60, bytes: 200 });
    // Restarted from zero, as after a failure.
    expect(run.follow(two, () => 0, none)).toEqual({ sent: 60, bytes: 200 });
    expect(run.left([photo('b')])).toEqual(['a']);
    expect(run.follow([photo('b')], () => 10, new Set(['a']))).toEqual({ sent: 110, bytes: 200 });
    // An added photo increases the total, not reduces the sent amount.
    const added = [photo('b'), photo('c')];
    expect(run.follow(added, () => 10, new Set(['a']))).toEqual({ sent: 120, bytes: 300 });
  });

  it('forgets what was left out, and everything when nothing is on its way', () => {
    const run = createTrafficRun();
    run.follow([photo('a'), photo('b')], () => 50, none);
    expect(run.follow([photo('b')], () => 50, none)).toEqual({ sent: 50, bytes: 100 });
    expect(run.follow([photo('b', 100, true)], () => 50, none)).toEqual({ sent: 100, bytes: 100 });
    expect(run.follow([], () => 0, new Set(['b']))).toEqual({ sent: 0, bytes: 0 });
    expect(run.left([])).toEqual([]);
  });
});
