/** The send gate alone (outbox promise 3), with a host that answers at moments chosen by the test. */
import { expect, it } from 'vitest';
import { fail, ok } from '../../../src/contract/problem.ts';
import { createSendGate } from '../../../src/renderer/outbox/engine/send-gate.ts';
import { createBreakerState } from '../../../src/renderer/outbox/engine/breaker-state.ts';
import { sessionOf } from '../../support/renderer-host.ts';
import { windowPerTest, windows, host as scripted } from '../../support/renderer-window.ts';

windowPerTest();

it('outbox promise 3: a sign-in while the breaker opens for "not connected" starts the queue again', async () => {
  const { db, clock } = await windows.start(scripted);
  const out = sessionOf({ state: 'none', account: null });
  const ready = sessionOf();
  let session = out;
  const host = {
    call: (method: string) =>
      Promise.resolve(method === 'session.get' ? ok(session) : ok({ server_time: null })),
  };
  const breaker = createBreakerState(clock, () => 0);
  const gate = createSendGate(
    { db, clock, host: host as never },
    out,
    breaker,
    async (problem, until) => {
      // The person signs in, and the event arrives, before the breaker is set.
      session = ready;
      gate.sessionChanged(ready);
      breaker.endWait();
      await breaker.open('here', problem, until, 'reach');
    },
  );
  expect(await gate.wait()).toBe(15_000);
  expect(breaker.problem()).toEqual({ kind: 'not_connected' });
  // Asked again, the session is ready: the event that arrived meanwhile was noticed.
  await expect.poll(async () => gate.wait()).toBe(null);
  expect(breaker.problem()).toBe(null);
});

it('outbox promise 3: a reply older than the last sign-in arrives after its event: the queue still starts again', async () => {
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
  const breaker = createBreakerState(clock, () => 0);
  const gate = createSendGate(
    { db, clock, host: host as never },
    ready,
    breaker,
    (problem, until) => breaker.open('here', problem, until, 'reach'),
  );
  gate.sessionChanged(ready);
  await breaker.open('here', { kind: 'signed_out', detail: 'of before' }, 'user', 'reach');
  // A session that claims to be ready is trusted once the server confirms it; until then it is checked from time to time.
  expect(await gate.wait()).toBe(15_000);
  expect(asked.filter((method) => method === 'reach.check')).toHaveLength(1);
  expect(breaker.problem()?.kind).toBe('signed_out');
  reached = true;
  expect(await gate.wait()).toBe(null);
  expect(breaker.problem()).toBe(null);
});
