/** [ours] Idempotency, conditional updates and the rate limit: decisions §1.5-1.7, failures S1-S3. */
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serviceArguments } from '../../src/host/session/embedded-service.ts';
import { mintToken } from '../../src/service/domain/tokens.ts';
import { parseOptions } from '../../src/service/options.ts';
import { clientOf, startTestService, type TestService } from '../support/service.ts';
import { slow } from '../support/slow.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

const list = '~/incidents/near_misses';
const DAY = 86_400_000;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const total = async (): Promise<number> =>
  Number((await t.demo.get(`${list}?per_page=1`)).headers.get('total'));
const body = (description: string) => ({ near_miss: { incident_id: 1, description } });

describe('decisions §1.5: idempotency', () => {
  it('decisions §1.5: same key and body answers the stored status and body again, and says so', async () => {
    const before = await total();
    const key = { 'idempotency-key': 'one' };
    const first = await t.demo.post(list, body('one'), key);
    const again = await t.demo.post(list, body('one'), key);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await total()).toBe(before + 1);
  });

  it('decisions §1.5: a create is replayed as it was answered, also where its record was recycled since', async () => {
    const key = { 'idempotency-key': 'recycled' };
    const first = await t.demo.post(list, body('recycled'), key);
    const path = `${list}/${first.json.id}`;
    expect((await t.demo.delete(path)).status).toBe(204);
    const before = await total();
    const again = await t.demo.post(list, body('recycled'), key);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    // It stays in the bin, and no second one was created.
    expect([await total(), (await t.demo.get(path)).status]).toEqual([before, 404]);
    const bin = '~/recycle_bin/incidents/near_misses';
    expect((await t.demo.get(`${bin}/${first.json.id}`)).status).toBe(200);
  });

  it('decisions §1.5: the same JSON written in another order is the same body', async () => {
    const key = { 'idempotency-key': 'order' };
    const first = await t.demo.ask('POST', list, {
      raw: '{"near_miss":{"incident_id":1,"description":"x"}}',
      headers: key,
    });
    const again = await t.demo.ask('POST', list, {
      raw: ' { "near_miss" : { "description":"x", "incident_id":1 } } ',
      headers: key,
    });
    expect(again.text).toBe(first.text);
  });

  it('decisions §1.5: Idempotency-Token is the same key by another name', async () => {
    const first = await t.demo.post(list, body('alias'), { 'idempotency-token': 'alias' });
    const again = await t.demo.post(list, body('alias'), { 'idempotency-key': 'alias' });
    expect(again.json.id).toBe(first.json.id);
    const both = { 'idempotency-token': 'a', 'idempotency-key': 'b' };
    expect((await t.demo.post(list, body('both'), both)).status).toBe(400);
    expect((await t.demo.post(list, body('bad'), { 'idempotency-key': 'a b' })).status).toBe(400);
  });

  for (const many of [5, 50])
    it(`decisions §1.5, failures S1: ${many} at once are executed once and all get that answer`, async () => {
      const before = await total();
      const key = { 'idempotency-key': `at-once-${many}` };
      const answers = await Promise.all(
        Array.from({ length: many }, () => t.demo.post(list, body(`burst ${many}`), key)),
      );
      expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1);
      expect(answers[0]?.status).toBe(201);
      expect(
        answers.filter((answer) => answer.headers.get('idempotency-replayed') === 'true'),
      ).toHaveLength(many - 1);
      expect(await total()).toBe(before + 1);
    });

  it('decisions §1.5, failures S2: same key with another body is a 422 and changes nothing', async () => {
    const key = { 'idempotency-key': 'other-body' };
    await t.demo.post(list, body('a'), key);
    const before = await total();
    const refused = await t.demo.post(list, body('b'), key);
    expect(refused.status).toBe(422);
    expect(refused.json.errors).toHaveProperty('idempotency_key');
    expect(await total()).toBe(before);
  });

  it('decisions §1.5, failures S2: user, method and path each make a scope of their own', async () => {
    const key = { 'idempotency-key': 'scope' };
    const created = await t.demo.post(list, body('scope'), key);
    const incident = await t.demo.post('~/incidents', { incident: { title: 'scope' } }, key);
    const patched = await t.demo.patch(`${list}/${created.json.id}`, body('scope 2'), key);
    const deleted = await t.demo.delete(`${list}/${created.json.id}`, key);
    const theirs = await t.other.post(
      list,
      { near_miss: { incident_id: (await t.other.get('~/incidents')).json[0].id } },
      key,
    );
    expect([
      created.status,
      incident.status,
      patched.status,
      deleted.status,
      theirs.status,
    ]).toEqual([201, 201, 200, 204, 201]);
    const again = await t.demo.delete(`${list}/${created.json.id}`, key);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([204, 'true']);
    expect((await t.demo.delete(`${list}/${created.json.id}`)).status).toBe(404);
  });

  it('decisions §1.5: a refusal that the body alone decides is kept: one key never gets two answers', async () => {
    const key = { 'idempotency-key': 'refused' };
    const bad = { near_miss: { incident_id: 'x' } };
    const first = await t.demo.post(list, bad, key);
    const again = await t.demo.post(list, bad, key);
    expect([first.status, again.status]).toEqual([422, 422]);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('decisions §1.5: a 412 is not kept: the same key with the right ETag is executed', async () => {
    const made = await t.demo.post(list, body('race'));
    const one = `${list}/${made.json.id}`;
    const key = { 'idempotency-key': 'if-match' };
    const stale = await t.demo.patch(one, body('mine'), { ...key, 'if-match': '"stale"' });
    expect(stale.status).toBe(412);
    const etag = (await t.demo.get(one)).headers.get('etag') ?? '';
    const fresh = await t.demo.patch(one, body('mine'), { ...key, 'if-match': etag });
    expect([fresh.status, fresh.headers.get('idempotency-replayed')]).toEqual([200, null]);
    const again = await t.demo.patch(one, body('mine'), { ...key, 'if-match': etag });
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  });

  it('decisions §1.5: a refusal by a state that passes is not kept: not complete, not there, too many', async () => {
    const bytes = Buffer.from('photo');
    const announced = await t.demo.post('/rest/v1.1/companies/1/uploads', {
      response_filename: 'a.jpg',
      segments: [{ size: bytes.length, sha256: sha256(bytes) }],
    });
    const { uuid, segments } = announced.json;
    const near_miss = { incident_id: 1, description: 'late photo', upload_uuids: [uuid] };
    const key = { 'idempotency-key': 'late-photo' };
    expect((await t.demo.post(list, { near_miss }, key)).status).toBe(422);
    const put = await fetch(segments[0].url, {
      method: 'PUT',
      body: bytes,
      headers: segments[0].headers,
    });
    const etag = put.headers.get('etag');
    await t.demo.patch(`/rest/v1.1/companies/1/uploads/${uuid}`, {
      segments: [{ size: bytes.length, sha256: sha256(bytes), etag }],
    });
    const created = await t.demo.post(list, { near_miss }, key);
    expect([created.status, created.headers.get('idempotency-replayed')]).toEqual([201, null]);

    const restore = { 'idempotency-key': 'restore' };
    const path = `~/recycle_bin/incidents/near_misses/${created.json.id}/restore`;
    const early = await t.demo.patch(path, {}, restore);
    expect(early.status).toBe(404);
    await t.demo.delete(`${list}/${created.json.id}`);
    expect((await t.demo.patch(path, {}, restore)).status).toBe(200);
  });

  it('decisions §1.5: a long answer is kept compressed, and one kept as it was is read', async () => {
    const key = { 'idempotency-key': 'long' };
    const long = 'x\u00e4y'.repeat(9000);
    const first = await t.demo.post(list, body(long), key);
    const again = await t.demo.post(list, body(long), key);
    expect(first.status).toBe(201);
    expect(again.text).toBe(first.text);
    const [kept] = await t.database.query(
      "select size, length(body) as letters, status from idempotency_keys where key = 'long'",
    );
    expect(kept?.['size']).toBe(kept?.['letters']);
    expect(Number(kept?.['size'])).toBeLessThan(first.text.length / 10);
    const plain = first.text.replaceAll("'", "''");
    await t.database.query(
      `update idempotency_keys set body = '${plain}', size = 0 where key = 'long'`,
    );
    expect((await t.demo.post(list, body(long), key)).text).toBe(first.text);
  });

  slow(
    'failures S28: what a user can make the service keep is bounded, in keys and in bytes, and says so',
    async () => {
      const small = await startTestService({
        'idempotency-max-keys': 5,
        'idempotency-max-size': 20_000,
      });
      try {
        const made = await small.demo.post(list, body('keys'));
        const one = `${list}/${made.json.id}`;
        const patch = (key: string, text: string) =>
          small.demo.patch(one, body(text), { 'idempotency-key': key });
        for (let n = 0; n < 5; n += 1) expect((await patch(`k${n}`, 'same')).status).toBe(200);
        const refused = await patch('k5', 'same');
        expect(refused.status).toBe(429);
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(refused.json.errors[0]).toContain('idempotency keys');
        expect((await patch('k4', 'same')).headers.get('idempotency-replayed')).toBe('true');
        expect((await small.demo.patch(one, body('without a key'))).status).toBe(200);
        expect(
          (await small.other.patch('~/nothing', {}, { 'idempotency-key': 'theirs' })).status,
        ).toBe(404);
        small.clock.advance(31 * DAY);
        // Random letters do not compress.
        const random = Array.from({ length: 9 }, () => randomBytes(6000).toString('base64'));
        const statuses: number[] = [];
        for (const [n, text] of random.entries())
          statuses.push((await patch(`b${n}`, text)).status);
        expect(statuses.slice(0, 2)).toEqual([200, 200]);
        expect(statuses.at(-1)).toBe(429);
        const [kept] = await small.database.query(
          `select sum(size) as bytes from idempotency_keys where key like 'b%'`,
        );
        expect(Number(kept?.['bytes'])).toBeLessThan(60_000);
      } finally {
        await small.stop();
      }
    },
  );

  slow('failures S28: a thousand answers of one long record take little room', async () => {
    const made = await t.demo.post(list, body('long words '.repeat(5000)));
    const one = `${list}/${made.json.id}`;
    for (let n = 0; n < 30; n += 1)
      await t.demo.patch(one, body('long words '.repeat(5000)), { 'idempotency-key': `room-${n}` });
    const [kept] = await t.database.query(
      `select avg(length(body)) as average from idempotency_keys where key like 'room-%'`,
    );
    expect(Number(kept?.['average'])).toBeLessThan(10_000);
  });

  it('failures: Signature: a signing secret is not readable in the kept answer that shows it', async () => {
    const hook = { api_version: 'v2', destination_url: 'https://example.com/hook' };
    const key = { 'idempotency-key': 'hook' };
    const create = () =>
      t.demo.post('/rest/v1.0/webhooks/hooks', { company_id: t.demo.company_id, hook }, key);
    const first = await create();
    expect(first.status).toBe(201);
    const rotate = `/rest/v1.0/webhooks/hooks/${first.json.id}/signing_secret`;
    const rotated = await t.demo.post(rotate, {}, key);
    const kept = await t.database.query("select body from idempotency_keys where key = 'hook'");
    expect(kept).toHaveLength(2);
    for (const { body: text } of kept) expect(String(text)).not.toMatch(/whsec_|signing_secret/);
    expect((await create()).text).toBe(first.text);
    expect((await t.demo.post(rotate, {}, key)).json.signing_secret).toBe(
      rotated.json.signing_secret,
    );
  });

  it('decisions §1.5: kept over a restart and for 30 days, then forgotten', async () => {
    const key = { 'idempotency-key': 'thirty-days' };
    const first = await t.demo.post(list, body('30 days'), key);
    await t.restart();
    t.clock.advance(30 * DAY - 1000);
    expect((await t.demo.post(list, body('30 days'), key)).json.id).toBe(first.json.id);
    t.clock.advance(2000);
    const later = await t.demo.post(list, body('30 days'), key);
    expect(later.status).toBe(201);
    expect(later.json.id).not.toBe(first.json.id);
  });

  it('decisions §1.5: a GET takes no key', async () => {
    const key = { 'idempotency-key': 'get' };
    await t.demo.get(list, key);
    expect((await t.demo.get(list, key)).headers.get('idempotency-replayed')).toBeNull();
  });
});

describe('decisions §1.7: conditional update', () => {
  it('decisions §1.7: show and update answers carry an ETag; If-Match with another is 412 and changes nothing', async () => {
    const made = await t.demo.post(list, body('etag'));
    const one = `${list}/${made.json.id}`;
    const etag = (await t.demo.get(one)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^".+"$/);
    const changed = await t.demo.patch(one, body('etag 2'), { 'if-match': etag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(etag);
    for (const stale of [etag, '"x"', `W/${changed.headers.get('etag')}`]) {
      const refused = await t.demo.patch(one, body('etag 3'), { 'if-match': stale });
      expect(refused.status).toBe(412);
    }
    expect((await t.demo.get(one)).json.description).toBe('etag 2');
    expect((await t.demo.delete(one, { 'if-match': etag })).status).toBe(412);
    const list2 = `"zzz", ${changed.headers.get('etag')}`;
    expect((await t.demo.patch(one, body('etag 4'), { 'if-match': list2 })).status).toBe(200);
    expect((await t.demo.patch(one, body('etag 5'), { 'if-match': '*' })).status).toBe(200);
  });

  it('decisions §1.7: of ten updates at once with one ETag exactly one wins', async () => {
    const made = await t.demo.post(list, body('race'));
    const headers = { 'if-match': made.headers.get('etag') ?? '' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        t.demo.patch(`${list}/${made.json.id}`, body(`race ${index}`), headers),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)]);
  });
});

describe('decisions §1.6: rate limit', () => {
  it('decisions §1.6: on by default, and off for the service of one laptop', () => {
    expect(parseOptions([])['rate-limit']).toBe(6000);
    expect(parseOptions(serviceArguments('folder', 'sample'))['rate-limit']).toBe(0);
  });

  it('decisions §1.6: counted by the token: a second one of the same user has its own', async () => {
    const limited = await startTestService({ 'rate-limit': 2 });
    try {
      const { store } = limited.service.app;
      const { user } = (await limited.demo.get('/rest/v1.0/me')).json;
      const token = await store.write((tx) => mintToken(tx, user.id, limited.clock.now()));
      const second = clientOf(limited.url, { ...limited.demo, token });
      expect((await limited.demo.get('/rest/v1.0/me')).status).toBe(200);
      expect((await limited.demo.get('/rest/v1.0/me')).status).toBe(429);
      expect((await second.get('/rest/v1.0/me')).status).toBe(200);
    } finally {
      await limited.stop();
    }
  });

  it('decisions §1.6: when on, headers on every answer, and 429 with Retry-After', async () => {
    const limited = await startTestService({ 'rate-limit': 3 });
    try {
      const seen: (string | null)[] = [];
      for (let index = 0; index < 3; index += 1)
        seen.push(
          (await limited.demo.get('/nope/../rest/v1.0/me')).headers.get('x-rate-limit-remaining'),
        );
      expect(seen).toEqual(['2', '1', '0']);
      const refused = await limited.demo.get('/rest/v1.0/me');
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(refused.headers.get('x-rate-limit-reset')) * 1000).toBeGreaterThan(
        limited.clock.now(),
      );
      expect((await limited.other.get('/rest/v1.0/me')).status).toBe(200);
      limited.clock.advance(60_000);
      expect((await clientOf(limited.url, limited.demo).get('/rest/v1.0/me')).status).toBe(200);
    } finally {
      await limited.stop();
    }
  });
});
