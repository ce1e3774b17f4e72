/** May anything be sent (outbox promise 3)? What answers that alone, with a host that answers at the moments that the test chooses. */
import { expect, it } from 'vitest';
import { fail, ok } from '../../../src/contract/problem.ts';
import { createMaySend } from '../../../src/renderer/outbox/may-send.ts';
import { createHold } from '../../../src/renderer/outbox/queue-hold.ts';
import { sessionOf } from '../../support/renderer-host.ts';
import { windowPerTest, windows, host as scripted } from '../../support/renderer-window.ts';

windowPerTest();

it('outbox promise 3: signed in while the hold for "not connected" was being written: the queue goes on by itself', async () => {
  const { db, clock } = await windows.start(scripted);
  const out = sessionOf({ state: 'none', account: null });
  const ready = sessionOf();
  let session = out;
  const host = {
    call: (method: string) =>
      Promise.resolve(method === 'session.get' ? ok(session) : ok({ server_time: null })),
  };
  const hold = createHold(clock, () => 0);
  const maySend = createMaySend(
    { db, clock, host: host as never },
    out,
    hold,
    async (problem, until) => {
      // The person signs in, and the word of it comes, before the hold stands.
      session = ready;
      maySend.heard(ready);
      hold.hurry();
      await hold.set('here', problem, until, 'reach');
    },
  );
  expect(await maySend.wait()).toBe(15_000);
  expect(hold.problem()).toEqual({ kind: 'not_connected' });
  // Asked again, the session is ready: whoever was heard of meanwhile has been seen.
  await expect.poll(async () => maySend.wait()).toBe(null);
  expect(hold.problem()).toBe(null);
});

it('outbox promise 3: an answer of before somebody signed in again comes after the word of it: the queue goes on by itself', async () => {
  const { db, clock } = await windows.start(scripted);
  const ready = sessionOf();
  const asked: string[] = [];
  let reached = false;
  const host = {
    call: (method: string) => {
      asked.push(method);
      if (method === 'session.get') return Promise.resolve(ok(ready));
      return Promise.resolve(
        reached ? ok({ server_time: null }) : fail({ kind: 'signed_out', detail: '' }),
      );
    },
  };
  const hold = createHold(clock, () => 0);
  const maySend = createMaySend({ db, clock, host: host as never }, ready, hold, (problem, until) =>
    hold.set('here', problem, until, 'reach'),
  );
  maySend.heard(ready);
  await hold.set('here', { kind: 'signed_out', detail: 'of before' }, 'user', 'reach');
  // A session that calls itself ready is believed once the server says so too; until then it is asked now and then.
  expect(await maySend.wait()).toBe(15_000);
  expect(asked.filter((method) => method === 'reach.check')).toHaveLength(1);
  expect(hold.problem()?.kind).toBe('signed_out');
  reached = true;
  expect(await maySend.wait()).toBe(null);
  expect(hold.problem()).toBe(null);
});
