/** [ours] Many writers and readers of one list (decisions §14.1). */
import { expect, it, onTestFinished } from 'vitest';
import { startTestService } from '../support/service.ts';
import { race } from './following-race.ts';

it('decisions §14.1: 10,000 writes by 16 clients while 4 readers follow: nothing is missed', async () => {
  const t = await startTestService({}, { now: Date.now, set: () => {}, advance: () => {} });
  onTestFinished(() => t.stop());
  const { missed, read } = await race(t, { writes: 10_000, writers: 16, readers: 4 });
  expect(missed).toBe(0);
  expect(read).toBeGreaterThan(2_000);
}, 1_200_000); // PostgreSQL beside other tests on two cores took more than ten minutes.
