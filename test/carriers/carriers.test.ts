/** One suite for both carriers: what goes in comes out, on either side, and nothing a window sends can throw. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HostEvent } from '../../src/contract/host.ts';
import { fail, ok } from '../../src/contract/problem.ts';
import { createHost } from '../../src/renderer/host/client.ts';
import { browserPair, electronPair, type Pair } from './pairs.ts';
import { eventually } from '../support/eventually.ts';

const ULID = '01HZZZZZZZZZZZZZZZZZZZZZZZ';
const progress = (sent: number): HostEvent => ({
  kind: 'photo.progress',
  photo_id: ULID,
  step: 'sending',
  sent,
  size: 100,
});
const random = (size: number) => {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 65_536)
    crypto.getRandomValues(bytes.subarray(at, Math.min(size, at + 65_536)));
  return bytes;
};

describe.each([
  { shell: 'browser shell', make: () => browserPair({ hold_ms: 50 }) as Promise<Pair> },
  { shell: 'Electron', make: () => electronPair() as Promise<Pair> },
])('carrier of the $shell', ({ make }) => {
  let pair: Pair;
  beforeEach(async () => {
    pair = await make();
  });
  afterEach(() => pair.stop());

  it('carries input and result as they are', async () => {
    const value = { status: 200, data: { text: 'Gerüst «B» 👷\n\u2028', n: 1.5, none: null } };
    pair.door.answer('rest.request', { result: ok(value) });
    const input = { endpoint: 'me.show', input: { params: {}, query: { a: ['x', 'ü'] } } };
    expect((await pair.carrier.call('rest.request', input)).result).toEqual(ok(value));
    expect(pair.door.heard[0]).toMatchObject({ method: 'rest.request', input });
  });

  it('carries 4 MiB of bytes in, beside their input', async () => {
    const bytes = random(4 * 1024 * 1024);
    pair.door.answer('photos.write', { result: ok({ received: bytes.length }) });
    const input = { photo_id: ULID, offset: 0 };
    const reply = await pair.carrier.call('photos.write', input, bytes);
    expect(reply.result).toEqual(ok({ received: bytes.length }));
    expect(pair.door.heard[0]?.input).toEqual(input);
    expect(Buffer.compare(pair.door.heard[0]?.bytes ?? new Uint8Array(), bytes)).toBe(0);
  });

  it('carries bytes out, beside their output, with none lost at zero length', async () => {
    for (const size of [0, 1, 1_000_003]) {
      const bytes = random(size);
      const output = { size, content_type: 'image/jpeg' };
      pair.door.answer('photos.read', { result: ok(output), bytes });
      const answer = await createHost(pair.carrier).call('photos.read', {
        photo_id: ULID,
        offset: 0,
        length: 4,
      });
      if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
      expect(answer.value.output).toEqual(output);
      expect(Buffer.compare(answer.value.bytes, bytes)).toBe(0);
    }
  });

  it('carries a problem as data', async () => {
    const problem = { kind: 'busy', retry_after_ms: 5_000 } as const;
    pair.door.answer('reach.check', { result: fail(problem) });
    expect(await createHost(pair.carrier).call('reach.check', {})).toEqual(fail(problem));
  });

  it('an answer that the contract does not accept is a bug, not a success', async () => {
    const host = createHost(pair.carrier);
    pair.door.answer('reach.check', { result: ok({ server_time: 'noon' }) });
    expect(await host.call('reach.check', {})).toMatchObject({ problem: { kind: 'bug' } });
    pair.door.answer('reach.check', { result: { ok: true } as never });
    expect(await host.call('reach.check', {})).toMatchObject({ problem: { kind: 'bug' } });
    pair.door.answer('photos.read', { result: ok({ size: 0, content_type: 'image/png' }) });
    const read = { photo_id: ULID, offset: 0, length: 1 };
    expect(await host.call('photos.read', read)).toMatchObject({ problem: { kind: 'bug' } });
  });

  it('a host that throws all the same is a bug in the answer', async () => {
    pair.door.answer('reach.check', () => Promise.reject(new Error('boom')));
    const { result } = await pair.carrier.call('reach.check', {});
    expect(result).toMatchObject({ ok: false, problem: { kind: 'bug' } });
  });

  it('A30: a method that is not in the contract is refused', async () => {
    for (const name of ['nope', 'toString', '__proto__', 'constructor', 'rest.request/../x']) {
      const { result } = await pair.carrier.call(name, {});
      expect(result, name).toMatchObject({ ok: false, problem: { kind: 'bad_input' } });
    }
  });

  it('A30: whatever a window sends, the answer is a Result', async () => {
    const methods = fc.constantFrom(
      'rest.request',
      'photos.write',
      'session.connect',
      'x',
      '%',
      '',
    );
    await fc.assert(
      fc.asyncProperty(
        methods,
        fc.jsonValue(),
        fc.option(fc.uint8Array({ maxLength: 64 }), { nil: undefined }),
        async (method, input, bytes) => {
          const { result } = await pair.carrier.call(
            method,
            input,
            bytes && Uint8Array.from(bytes),
          );
          expect(typeof result.ok).toBe('boolean');
        },
      ),
      { numRuns: 200 },
    );
  });

  it('a call that takes long is answered all the same, and others are not held up', async () => {
    let finish = (): void => undefined;
    const gate = new Promise<void>((resolve) => (finish = resolve));
    pair.door.answer('photos.upload', async () => {
      await gate;
      return { result: ok({ upload_uuid: 'u' }) };
    });
    const slow = Array.from({ length: 12 }, () =>
      pair.carrier.call('photos.upload', { photo_id: ULID, company_id: 1 }),
    );
    await eventually(() => expect(pair.door.heard).toHaveLength(12));
    pair.door.answer('reach.check', { result: ok({ server_time: 1 }) });
    expect((await pair.carrier.call('reach.check', {})).result).toEqual(ok({ server_time: 1 }));
    finish();
    for (const reply of await Promise.all(slow))
      expect(reply.result).toEqual(ok({ upload_uuid: 'u' }));
  });

  it('events reach every listener until it stops listening', async () => {
    const [first, second]: [unknown[], unknown[]] = [[], []];
    const stopFirst = pair.carrier.listen((event) => first.push(event));
    const stopSecond = pair.carrier.listen((event) => second.push(event));
    let sent = 0;
    await eventually(() => {
      pair.door.emit(progress(++sent));
      expect(first.length).toBeGreaterThan(0);
      expect(second.length).toBeGreaterThan(0);
    });
    expect(first[0]).toMatchObject({ kind: 'photo.progress', photo_id: ULID });
    stopFirst();
    const before = first.length;
    pair.door.emit(progress(99));
    await eventually(() => expect(second).toContainEqual(progress(99)));
    expect(first).toHaveLength(before);
    stopSecond();
  });

  it('the client hears only the kind it asked for, and only events of the contract', async () => {
    const heard: HostEvent[] = [];
    const host = createHost(pair.carrier);
    const stop = host.listen('service.state', (event) => heard.push(event));
    const state = { kind: 'service.state', running: true, detail: '' } as const;
    await eventually(() => {
      pair.door.emit(progress(1));
      pair.door.emit({ kind: 'gossip' } as never);
      pair.door.emit(state);
      expect(heard.length).toBeGreaterThan(0);
    });
    expect(heard.every((event) => event.kind === 'service.state')).toBe(true);
    stop();
  });

  it('sendPhoto hands a file over in order, 4 MiB at a time', async () => {
    const file = new Blob([random(9 * 1024 * 1024)]);
    let received = 0;
    pair.door.answer('photos.write', async () => {
      received += pair.door.heard.at(-1)?.bytes?.length ?? 0;
      return { result: ok({ received }) };
    });
    const facts = {
      photo_id: ULID,
      filename: 'a.jpg',
      content_type: 'image/jpeg',
      size: file.size,
      sha256: 'x',
    };
    pair.door.answer('photos.finish', { result: ok(facts) });
    const seen: number[] = [];
    const sent = await createHost(pair.carrier).sendPhoto(file, ULID, 'a.jpg', (written) =>
      seen.push(written),
    );
    expect(sent).toEqual(ok(facts));
    expect(pair.door.heard.map(({ method }) => method)).toEqual([
      'photos.begin',
      'photos.write',
      'photos.write',
      'photos.write',
      'photos.finish',
    ]);
    const writes = pair.door.heard.filter(({ method }) => method === 'photos.write');
    expect(writes.map(({ input }) => (input as { offset: number }).offset)).toEqual([
      0, 4_194_304, 8_388_608,
    ]);
    expect(seen.at(-1)).toBe(file.size);
    const whole = Buffer.concat(writes.map(({ bytes }) => bytes ?? new Uint8Array()));
    expect(whole.equals(Buffer.from(await file.arrayBuffer()))).toBe(true);
  });
});

describe('without a host', () => {
  it('browser shell: a host that is gone is a problem, not a throw', async () => {
    const pair = await browserPair();
    await pair.stop();
    const { result } = await pair.carrier.call('reach.check', {});
    expect(result).toMatchObject({ ok: false, problem: { kind: 'offline' } });
  });

  it('Electron: a host that is gone is a problem, not a throw', async () => {
    const pair = await electronPair();
    await pair.stop();
    const { result } = await pair.carrier.call('reach.check', {});
    expect(result).toMatchObject({ ok: false, problem: { kind: 'bug' } });
  });
});
