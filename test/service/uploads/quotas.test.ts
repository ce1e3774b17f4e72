/** Limits of a user's pending uploads and of a company's storage, with clear errors (failures S28). */
import { expect, it } from 'vitest';
import { HOUR, KIB, post, random, sha256, startFixture, store } from './support.ts';

const DAY = 24 * HOUR;
const path = (company_id: number) => `/rest/v1.1/companies/${company_id}/uploads`;

it('failures S28: uploads of no record are bounded in bytes, announced or sent; a record makes room, and so does time', async () => {
  const fixture = await startFixture({ options: { 'upload-max-waiting': 10 * KIB } });
  const { owner, colleague } = fixture;
  const create = (size: number, as = owner) =>
    fixture.call('POST', path(as.company_id), { response_filename: 'a.jpg', size }, as);
  expect((await create(11 * KIB)).status).toBe(413);
  expect((await create(6 * KIB)).status).toBe(201);
  const refused = await create(6 * KIB);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.text).toContain('waiting');
  expect((await create(6 * KIB, colleague)).status).toBe(201);
  await store(fixture, random(3 * KIB), { response_filename: 'in-a-record.jpg' });
  expect((await create(4 * KIB)).status).toBe(201);
  expect((await create(4 * KIB)).status).toBe(429);
  fixture.advance(8 * DAY);
  expect((await create(4 * KIB)).status).toBe(201);
});

it('failures S28: of one that was not announced no more is taken than there is room', async () => {
  const fixture = await startFixture({ options: { 'upload-max-waiting': 10 * KIB } });
  const send = async (bytes: Uint8Array) =>
    (await post(await fixture.create({ response_filename: 'a.jpg' }), bytes)).status;
  expect(await send(random(6 * KIB))).toBe(204);
  expect(await send(random(6 * KIB))).toBe(413);
  expect(await send(random(4 * KIB))).toBe(204);
  expect(
    (
      await fixture.call('POST', path(fixture.owner.company_id), {
        response_filename: 'a',
        size: 1,
      })
    ).status,
  ).toBe(429);
});

it('failures S28: how many may wait is bounded too', async () => {
  const fixture = await startFixture({ options: { 'upload-max-waiting-count': 3 } });
  const create = () =>
    fixture.call('POST', path(fixture.owner.company_id), {
      response_filename: 'a.jpg',
      segments: [{ size: 1, sha256: sha256(Buffer.from('a')) }],
    });
  const statuses: number[] = [];
  for (let n = 0; n < 4; n += 1) statuses.push((await create()).status);
  expect(statuses).toEqual([201, 201, 201, 429]);
});

it('failures S28: a company keeps no more than its operator allows', async () => {
  const fixture = await startFixture({ options: { 'upload-max-stored': 10 * KIB } });
  await store(fixture, random(6 * KIB), { response_filename: 'a.jpg' });
  fixture.advance(HOUR);
  const create = (size: number) =>
    fixture.call('POST', path(fixture.owner.company_id), { response_filename: 'a.jpg', size });
  expect((await create(3 * KIB)).status).toBe(201);
  expect((await create(5 * KIB)).status).toBe(429);
  expect((await create(11 * KIB)).status).toBe(413);
});
