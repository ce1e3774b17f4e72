/**
 * [ours] Rotation of the signing secret (decisions §9.2; failures: Signature): both secrets sign for a while, then only the new
 * one.
 */
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { webhookSigningSecret } from '../../../src/contract/rest/webhook-signing-secrets.ts';
import type { Options } from '../../../src/service/options.ts';
import type { Client, TestService } from '../../support/service.ts';
import {
  deliveriesOf,
  endpoint,
  HOOKS,
  makeHook,
  makeNearMiss,
  sender,
  until,
  type Endpoint,
  type Received,
} from './support.ts';

const HOUR = 3_600_000;

/** A hook and its endpoint. The library requires a clock that is right to five minutes, so tests move the clock by hand. */
const start = async (options: Partial<Options> = {}) => {
  const t = await sender(options);
  t.clock.set(Date.now());
  const e = await endpoint();
  return { t, e, hook: await makeHook(t.demo, e.url) };
};

const rotate = async (client: Client, id: number, body: object = {}, prefix = HOOKS) => {
  const answer = await client.post(`${prefix}/${id}/signing_secret`, body);
  expect(answer.status, answer.text).toBe(201);
  return webhookSigningSecret.parse(answer.json);
};

/** Waits for the notification with index `count`. */
const toldAfter = async (e: Endpoint, count: number): Promise<Received> => {
  await until(() => e.received.length > count, `notification ${count + 1}`);
  const one = e.received[count];
  if (!one) throw new Error('nothing came');
  return one;
};

const nextTold = async (t: TestService, e: Endpoint): Promise<Received> => {
  const before = e.received.length;
  await makeNearMiss(t.demo);
  return toldAfter(e, before);
};

const signatures = ({ headers }: Received): string[] =>
  String(headers['webhook-signature']).split(' ');

/** Whether the library accepts it at the time of its signature. */
const verifies = ({ text, headers }: Received, secret: string): boolean => {
  const real = Date.now;
  Date.now = () => Number(headers['webhook-timestamp']) * 1000;
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  } finally {
    Date.now = real;
  }
};

describe('decisions §9.2, failures Signature: rotation of the signing secret', () => {
  it('failures Signature: the standardwebhooks library verifies with both secrets; the old one stops when its overlap ends', async () => {
    const { t, e, hook } = await start();
    const plain = await nextTold(t, e);
    expect(signatures(plain)).toHaveLength(1);
    const { signing_secret, previous_valid_until } = await rotate(t.demo, hook.id);
    expect(signing_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(signing_secret).not.toBe(hook.signing_secret);
    expect(previous_valid_until).toBe(new Date(t.clock.now() + 24 * HOUR).toISOString());
    const both = await nextTold(t, e);
    expect(both.headers['webhook-signature']).toMatch(/^v1,[\w+/]+=* v1,[\w+/]+=*$/);
    expect([hook.signing_secret, signing_secret].map((one) => verifies(both, one))).toEqual([
      true,
      true,
    ]);
    expect(verifies(both, `whsec_${Buffer.alloc(32).toString('base64')}`)).toBe(false);
    t.clock.advance(24 * HOUR - 1);
    expect(signatures(await nextTold(t, e))).toHaveLength(2);
    t.clock.advance(1);
    const after = await nextTold(t, e);
    expect(signatures(after)).toHaveLength(1);
    expect([hook.signing_secret, signing_secret].map((one) => verifies(after, one))).toEqual([
      false,
      true,
    ]);
  });

  it('failures Signature: the overlap survives a restart, and a second rotation ends the secret before the last', async () => {
    const { t, e, hook } = await start();
    const second = await rotate(t.demo, hook.id);
    const third = await rotate(t.demo, hook.id);
    await t.restart();
    const told = await nextTold(t, e);
    const secrets = [hook.signing_secret, second.signing_secret, third.signing_secret];
    expect(secrets.map((one) => verifies(told, one))).toEqual([false, true, true]);
  });

  it('failures Signature: keep_previous false ends the old secret at once; --webhook-secret-overlap says how long else', async () => {
    const { t, e, hook } = await start({ 'webhook-secret-overlap': 1000 });
    const kept = await rotate(t.demo, hook.id);
    expect(kept.previous_valid_until).toBe(new Date(t.clock.now() + 1000).toISOString());
    const leaked = await rotate(t.demo, hook.id, { keep_previous: false });
    expect(leaked.previous_valid_until).toBeNull();
    const told = await nextTold(t, e);
    const secrets = [hook.signing_secret, kept.signing_secret, leaked.signing_secret];
    expect(secrets.map((one) => verifies(told, one))).toEqual([false, false, true]);
  });

  it('failures Signature: an event that waits is signed by what is valid when it is sent', async () => {
    const { t, e, hook } = await start();
    e.answer((response, count) => response.writeHead(count === 0 ? 500 : 200).end());
    await nextTold(t, e);
    // The time of the next attempt is known once the failed one is recorded.
    await until(async () => (await deliveriesOf(t.demo, hook.id)).length === 1);
    const { signing_secret } = await rotate(t.demo, hook.id, { keep_previous: false });
    t.clock.advance(2000);
    const again = await toldAfter(e, 1);
    expect(again.headers['webhook-id']).toBe(e.received[0]?.headers['webhook-id']);
    expect(verifies(again, signing_secret)).toBe(true);
    expect(verifies(again, hook.signing_secret)).toBe(false);
  });

  it('decisions §9.1, §1.5: under both prefixes, once for one key, and neither secret is readable in the hook’s row', async () => {
    const { t, hook } = await start();
    const vapid = await rotate(t.demo, hook.id, {}, '/vapid/webhooks/hooks');
    const key = { 'idempotency-key': 'rotate-once' };
    const path = `${HOOKS}/${hook.id}/signing_secret`;
    const [one, two] = await Promise.all([t.demo.post(path, {}, key), t.demo.post(path, {}, key)]);
    expect(one.json).toEqual(two.json);
    const [row] = await t.database.query(
      `select signing_secret, previous_signing_secret from webhook_hooks where id = ${hook.id}`,
    );
    const kept = JSON.stringify(row);
    for (const secret of [hook, vapid, one.json as typeof hook])
      expect(kept).not.toContain(secret.signing_secret.slice('whsec_'.length, 20));
    expect(row?.['previous_signing_secret']).toMatch(/^v1\./);
    const shown = await t.demo.get(`${HOOKS}/${hook.id}`);
    expect(shown.text).not.toMatch(/secret/);
    expect((await t.demo.post(path, { keep_previous: 'no' })).status).toBe(422);
    expect((await t.other.post(path, {})).status).toBe(404);
    expect((await t.demo.post(`${path}?namespace=another`, {})).status).toBe(404);
  });
});
