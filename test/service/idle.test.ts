/** An idle service does nothing: every periodic task runs at most every thirty seconds. */
import { afterEach, expect, it, vi } from 'vitest';
import { onPostgres } from '../support/database.ts';
import { startTestService } from '../support/service.ts';
import { watchTimers } from '../support/timers.ts';

afterEach(() => vi.restoreAllMocks());

it('when nothing waits, no timer of the service comes oftener than every thirty seconds', async () => {
  const live = watchTimers('service');
  const t = await startTestService();
  const left = () => [...live.values()].map(({ ms }) => ms);
  // Its first webhook poll is done: the next one is scheduled.
  await expect.poll(left).toContain(30_000);
  await t.demo.get('/rest/v1.0/me');
  const again = [...live.values()].filter((timer) => timer.again).map(({ ms }) => ms);
  expect(again.length).toBeGreaterThan(2);
  expect(Math.min(...again)).toBeGreaterThanOrEqual(30_000);
  await t.stop();
});

it('what is written wakes the sending of webhooks by itself, and afterwards it is quiet again', async () => {
  const live = watchTimers('service');
  const t = await startTestService();
  // The single check of all pages of the file, soon after the start.
  const pageCheck = onPostgres ? [] : [5_000];
  const left = () => [...live.values()].filter(({ again }) => !again).map(({ ms }) => ms);
  const incident_id = (await t.demo.get('~/catalog')).json.incidents[0].id as number;
  const made = await t.demo.post('~/incidents/near_misses', { near_miss: { incident_id } });
  expect(made.status, made.text).toBe(201);
  await expect.poll(() => left().filter((ms) => ms < 30_000)).toEqual(pageCheck);
  await t.stop();
});
