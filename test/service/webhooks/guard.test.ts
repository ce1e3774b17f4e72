/**
 * The address guard: failures S15, decisions §9.6. The real sender sends to every address, and the test counts connections
 * requested from the operating system (TCPCONNECTWRAP), not the guard's own claims.
 */
import { createHook } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readMorePorts } from '../../../src/service/webhooks/destination-ports.ts';
import { judgeUrl } from '../../../src/service/webhooks/destination.ts';
import { isPublic, resolver, type Resolve } from '../../../src/service/webhooks/guard.ts';
import { connections, send } from '../../../src/service/webhooks/send.ts';
import { openDemo } from '../../../src/service/demo/seats.ts';
import { startService, type Service } from '../../../src/service/index.ts';
import { ANSWERS, LITERALS } from '../../support/addresses.ts';
import { clientOf, tempDir, testClock, type Client } from '../../support/service.ts';
import { deliveriesOf, HOOKS, makeHook, makeNearMiss, startEndpoint, until } from './support.ts';

/** Connections that this process requested from the system. */
let asked = 0;
const counter = createHook({
  init: (_id, type) => {
    if (type === 'TCPCONNECTWRAP') asked += 1;
  },
});
beforeAll(() => void counter.enable());
afterAll(() => void counter.disable());

const never: Resolve = () => Promise.reject(new Error('no name is to be asked for'));
const rules = (resolve: Resolve = never, allow_private = false) => ({
  timeout: 1000,
  max_response: 65_536,
  allow_private,
  ports: new Set<number>(),
  resolve,
});
const sendTo = async (url: string, resolve?: Resolve, allow_private = false, timeout = 1000) => {
  const over = connections();
  try {
    return await send(
      { url, headers: {}, body: '{}' },
      { ...rules(resolve, allow_private), timeout },
      over,
    );
  } finally {
    over.end();
  }
};

describe('failures S15, decisions §9.6: no connection to what is not public', () => {
  it('failures S15: the table has at least 60 forms, all different', () => {
    expect(new Set(LITERALS).size).toBe(LITERALS.length);
    expect(LITERALS.length + ANSWERS.length).toBeGreaterThanOrEqual(60);
  });

  it('failures S15: the count is real: an allowed address is connected to, by literal and by name', async () => {
    const e = await startEndpoint();
    onTestFinished(() => e.close());
    const before = asked;
    expect(await sendTo(e.url, never, true)).toMatchObject({ status: 200, error: null });
    expect(asked - before).toBe(1);
    const named = e.url.replace('127.0.0.1', 'hooks.example');
    expect(await sendTo(named, () => Promise.resolve(['127.0.0.1']), true)).toMatchObject({
      status: 200,
      error: null,
    });
    expect(asked - before).toBe(2);
    expect(e.connections()).toBe(2);
  });

  for (const host of LITERALS)
    it(`failures S15: http://${host}/ is not connected to, and not saved`, async () => {
      const e = await startEndpoint();
      onTestFinished(() => e.close());
      const before = asked;
      for (const scheme of ['http', 'https']) {
        const outcome = await sendTo(`${scheme}://${host}:${e.port}/x`);
        expect(outcome.status).toBeNull();
        expect(outcome.error).toMatch(/^Not sent: /);
      }
      const wrong = await judgeUrl(`http://${host}/x`, rules());
      expect(wrong).toMatch(/public address/);
      expect(asked - before).toBe(0);
      expect(e.connections()).toBe(0);
    });

  for (const answer of ANSWERS)
    it(`failures S15: a name that leads to ${answer.join(' and ') || 'nothing'} is not connected to`, async () => {
      const before = asked;
      for (const scheme of ['http', 'https']) {
        const outcome = await sendTo(`${scheme}://hooks.example/x`, () => Promise.resolve(answer));
        expect(outcome.status).toBeNull();
        expect(outcome.error).toEqual(expect.any(String));
      }
      expect(asked - before).toBe(0);
    });

  it.each([22, 25, 110, 143, 1024, 3306, 5432, 6379, 9200, 11_211, 27_017])(
    'decisions §9.6: port %i is not connected to, and not saved, unless the operator opened it',
    async (port) => {
      const before = asked;
      const url = `http://93.184.215.14:${port}/x`;
      const { error } = await sendTo(url);
      expect(error).toMatch(/^Not sent: the port/);
      expect(await judgeUrl(url, rules())).toMatch(/--webhook-ports/);
      expect(asked - before).toBe(0);
      expect(await judgeUrl(url, { ...rules(), ports: new Set([port]) })).toBeNull();
      expect(await judgeUrl(url, { ...rules(), ports: 'all' })).toBeNull();
    },
  );

  it('decisions §9.6: the ports of the web, and those above 1024 without a known service, are open', async () => {
    for (const url of ['http://8.8.8.8/', 'https://8.8.8.8/', 'https://8.8.8.8:8443/x'])
      expect(await judgeUrl(url, rules()), url).toBeNull();
    expect(readMorePorts('25, 8025')).toEqual(new Set([25, 8025]));
    expect([readMorePorts('all'), readMorePorts('x'), readMorePorts('0')]).toEqual([
      'all',
      null,
      null,
    ]);
  });

  it('failures S15: public addresses are public', () => {
    for (const address of [
      '93.184.215.14',
      '8.8.8.8',
      '1.1.1.1',
      '172.32.0.1',
      '2606:4700::1111',
      '2a00::1',
    ])
      expect(isPublic(address), address).toBe(true);
    for (const text of ['', 'x', '127.1', '1.2.3.4/8', '::1%eth0', '2606:4700::1111%1'])
      expect(isPublic(text), text).toBe(false);
  });

  it('failures S13, S15: a name server that never answers is inside the deadline', async () => {
    const never_answers: Resolve = () => new Promise(() => undefined);
    const outcome = await sendTo('http://slow.example/', never_answers, false, 100);
    expect(outcome.error).toBe('No whole answer within 100 ms.');
  });

  it('decisions §9.6: only a service that may send inside asks the system for names such as localhost', async () => {
    const { signal } = new AbortController();
    const found = await resolver(true)('localhost', signal);
    expect(found.every((address) => !isPublic(address))).toBe(true);
  });
});

describe('failures S15: through the service', () => {
  const dir = tempDir('guard');
  const clock = testClock();
  let service: Service;
  let demo: Client;
  let answers: readonly string[] = ['93.184.215.14'];
  beforeAll(async () => {
    service = await startService({
      options: { 'data-dir': dir.path, port: 0, 'webhook-interval': 20, 'webhook-timeout': 300 },
      clock: clock.now,
      resolve: () => Promise.resolve(answers),
    });
    demo = clientOf(
      service.url,
      await openDemo(service.app.store, clock.now(), service.app.uploads.files, false),
    );
  });
  afterAll(async () => {
    await service.stop();
    dir.remove();
  });

  it('failures S15: rebinding: public when saved, then 127.0.0.1: blocked at connect time, on every attempt', async () => {
    const e = await startEndpoint();
    onTestFinished(() => e.close());
    answers = ['93.184.215.14'];
    const { id } = await makeHook(demo, `http://rebind.example:${e.port}/hook`);
    for (const [attempt, next] of [
      ['127.0.0.1'],
      ['::ffff:127.0.0.1', '93.184.215.14'],
      ['::1'],
    ].entries()) {
      answers = next;
      if (attempt === 0) await makeNearMiss(demo);
      else clock.advance(10_000);
      await until(async () => (await deliveriesOf(demo, id)).length === attempt + 1);
    }
    for (const delivery of await deliveriesOf(demo, id))
      expect(delivery).toMatchObject({
        outcome: 'retried',
        response_status: null,
        response_error: 'Not sent: the name rebind.example leads to an address that is not public.',
      });
    expect(e.connections()).toBe(0);
  });

  it('decisions §9.6: refused when saved, by create and by update, on destination_url', async () => {
    answers = ['93.184.215.14', '10.0.0.1'];
    const post = (destination_url: string) =>
      demo.post(HOOKS, { company_id: 1, hook: { destination_url } });
    for (const url of [
      'http://127.0.0.1/',
      'http://2130706433/',
      'http://mixed.example/',
      'http://[::]/',
    ])
      expect((await post(url)).json.errors).toEqual({
        'hook.destination_url': [expect.stringMatching(/--allow-private-webhooks/)],
      });
    answers = ['93.184.215.14'];
    const { id } = (await post('http://fine.example/')).json;
    const changed = await demo.patch(`${HOOKS}/${id}`, {
      hook: { destination_url: 'http://169.254.169.254/' },
    });
    expect(changed.status).toBe(422);
    expect((await demo.get(`${HOOKS}/${id}`)).json.destination_url).toBe('http://fine.example/');
  });
});
