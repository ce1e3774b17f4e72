/**
 * The address guard: failures S15, decisions §9.6. Every form is sent to with the real sender, and what is counted is
 * connections as the operating system is asked for them (TCPCONNECTWRAP), not what the guard says of itself.
 */
import { createHook } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { judgeUrl } from '../../../src/service/webhooks/destination.ts';
import { isPublic, resolver, type Resolve } from '../../../src/service/webhooks/guard.ts';
import { send } from '../../../src/service/webhooks/send.ts';
import { openDemo } from '../../../src/service/demo/seats.ts';
import { startService, type Service } from '../../../src/service/index.ts';
import { clientOf, tempDir, testClock, type Client } from '../../support/service.ts';
import { deliveriesOf, HOOKS, makeHook, makeNearMiss, startEndpoint, until } from './support.ts';

/** Connections this process asked the system for. */
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
  resolve,
});
const sendTo = (url: string, resolve?: Resolve, allow_private = false) =>
  send({ url, headers: {}, body: '{}' }, rules(resolve, allow_private));

/** Spellings of addresses in a URL's host: decimal, hex, octal, short, mapped, embedded, with dots and zeros. */
const LITERALS = [
  // Loopback and "this host", as many ways as inet_aton takes
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '017700000001',
  '0x7f000001',
  '0x7f.0.0.1',
  '0X7F.1',
  '0177.0.0.1',
  '0177.0.0.01',
  '127.0.0x0.1',
  '00000177.1',
  '0x7f.0x0.0x0.0x1',
  '%31%32%37.0.0.1',
  '１２７.０.０.１',
  '127。0。0。1',
  '0.0.0.0',
  '0',
  '0x0',
  '00',
  '0.1',
  // Private, shared, link-local, metadata
  '10.0.0.1',
  '167772161',
  '0xa000001',
  '012.0.0.1',
  '10.1',
  '172.16.0.1',
  '172.31.255.255',
  '0xac100001',
  '192.168.0.1',
  '192.168.1',
  '3232235521',
  '0xc0a80001',
  '0300.0250.0.1',
  '100.64.0.1',
  '100.127.255.254',
  '100.100.100.200',
  '169.254.169.254',
  '169.254.43518',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '169.254.0.1',
  '168.63.129.16',
  // Special: protocol assignments, documentation, benchmarking, relay, multicast, reserved, broadcast
  '192.0.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '198.51.100.1',
  '203.0.113.1',
  '198.18.0.1',
  '198.19.255.255',
  '192.88.99.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '4294967295',
  // IPv6
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000::0001]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:169.254.169.254]',
  '[::FFFF:a9fe:a9fe]',
  '[::ffff:0:127.0.0.1]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[::8.8.8.8]',
  '[::ffff:8.8.8.8]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b::8.8.8.8]',
  '[64:ff9b:1::10.0.0.1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::1]',
  '[2002:0a00:0001::]',
  '[2001:0:53aa:64c:0:0:80ff:fffe]',
  '[2001::1]',
  '[fe80::1]',
  '[febf::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fdff::1]',
  '[ff02::1]',
  '[ff0e::1]',
  '[100::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[2001:2::1]',
  '[2001:10::1]',
  '[2001:20::1]',
  '[5f00::1]',
  '[2606:4700::5efe:10.0.0.1]',
  '[2606:4700::200:5efe:7f00:1]',
  '[4000::1]',
  // Names that can only mean this machine or network
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  'printer.local',
  'metadata.google.internal',
  'intranet',
  'db',
  'router.home.arpa',
  'nas.lan',
];

/** What a name leads to; one address that is not public among several refuses all. */
const ANSWERS: readonly (readonly string[])[] = [
  ['127.0.0.1'],
  ['::1'],
  ['0.0.0.0'],
  ['::'],
  ['10.1.2.3'],
  ['169.254.169.254'],
  ['::ffff:127.0.0.1'],
  ['::ffff:a9fe:a9fe'],
  ['64:ff9b::7f00:1'],
  ['2002:7f00:1::'],
  ['fe80::1%lo'],
  ['fd00:ec2::254'],
  ['100.64.0.1'],
  ['93.184.215.14', '127.0.0.1'],
  ['127.0.0.1', '93.184.215.14'],
  ['93.184.215.14', '::1'],
  ['2606:4700::1111', 'fe80::1'],
  ['93.184.215.14', '93.184.215.15', '192.168.0.1'],
  ['0x7f000001'],
  ['not an address'],
  [],
];

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
      const wrong = await judgeUrl(`http://${host}/x`, { allow_private: false, resolve: never });
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
    const before = performance.now();
    const outcome = await send(
      { url: 'http://slow.example/', headers: {}, body: '{}' },
      { ...rules(() => new Promise(() => undefined)), timeout: 100 },
    );
    expect(outcome.error).toBe('No whole answer within 100 ms.');
    expect(performance.now() - before).toBeLessThan(2000);
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
      await openDemo(service.app.store, clock.now(), service.app.uploads.files),
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
