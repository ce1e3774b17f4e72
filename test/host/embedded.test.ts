/** The manager of the embedded service, with starts that the test releases individually. */
import { expect, it } from 'vitest';
import {
  createEmbedded,
  type RunningService,
  type StartService,
} from '../../src/host/session/embedded.ts';
import { until } from './fixtures/folder.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const makeLaunches = () => {
  const launches: PromiseWithResolvers<void>[] = [];
  const stops: PromiseWithResolvers<void>[] = [];
  let alive = 0;
  let most = 0;
  const start: StartService = async () => {
    const gate = Promise.withResolvers<void>();
    launches.push(gate);
    alive += 1;
    most = Math.max(most, alive);
    await gate.promise;
    const exited = Promise.withResolvers<void>();
    const service: RunningService = {
      url: `http://127.0.0.1:${launches.length}`,
      token: 't',
      company_id: 1,
      project_id: 1,
      exited: exited.promise,
      stop: async () => {
        const over = Promise.withResolvers<void>();
        stops.push(over);
        await over.promise;
        alive -= 1;
        exited.resolve();
      },
    };
    return service;
  };
  return { start, launches, stops, most: () => most, alive: () => alive };
};

it('a service that is asked for while it is being stopped, in the middle of its start, runs afterwards', async () => {
  const { start, launches, stops, most } = makeLaunches();
  const embedded = createEmbedded(
    start,
    () => undefined,
    () => undefined,
  );
  const first = embedded.running(10);
  await until(() => launches.length === 1, 'the first launch');
  expect((await first).ok).toBe(false);
  const stopped = embedded.stop();
  await turn();
  // A window calls meanwhile: the session still names this service.
  const meanwhile = embedded.running(10);
  launches[0]?.resolve();
  expect(await meanwhile).toMatchObject({ ok: false, problem: { kind: 'offline' } });
  await until(() => stops.length === 1, 'the stop');
  stops[0]?.resolve();
  await stopped;
  const again = embedded.running(2_000);
  await until(() => launches.length === 2, 'the second launch');
  launches[1]?.resolve();
  expect(await again).toMatchObject({ ok: true });
  expect(most()).toBe(1);
});

it('a service that is asked for while it is being stopped does not start beside itself', async () => {
  const { start, launches, stops, most } = makeLaunches();
  const embedded = createEmbedded(
    start,
    () => undefined,
    () => undefined,
  );
  const first = embedded.running();
  launches[0]?.resolve();
  expect((await first).ok).toBe(true);
  const stopped = embedded.stop();
  await until(() => stops.length === 1, 'the stop');
  const other = embedded.stop();
  await turn();
  expect((await embedded.running(10)).ok).toBe(false);
  stops[0]?.resolve();
  await Promise.all([stopped, other]);
  const again = embedded.running();
  await until(() => launches.length === 2, 'the second launch');
  launches[1]?.resolve();
  expect(await again).toMatchObject({ ok: true });
  expect(most()).toBe(1);
});

it('a start that hangs is given up when nobody wants it any more, and the next one is another', async () => {
  let launches = 0;
  const hangs: StartService = (stopped) => {
    launches += 1;
    return new Promise((_resolve, reject) =>
      stopped?.addEventListener('abort', () => reject(new Error('it was ended')), { once: true }),
    );
  };
  const embedded = createEmbedded(
    hangs,
    () => undefined,
    () => undefined,
  );
  for (const nth of [1, 2]) {
    expect((await embedded.running(10)).ok).toBe(false);
    await embedded.stop();
    expect(launches).toBe(nth);
  }
});
