/**
 * Fields of webhook deliveries with the types of the reference's tables. Copied from the reference, not from the contract,
 * whose schemas allow another server to omit fields.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestService } from '../../support/service.ts';
import {
  answering,
  deliveriesOf,
  HOOKS,
  makeHook,
  makeNearMiss,
  startEndpoint,
  startSender,
  until,
  type Endpoint,
} from '../webhooks/support.ts';
import { expectFields, integer, nothing, string, texts, utc } from './field-checks.ts';

let t: TestService;
let endpoint: Endpoint;
beforeAll(async () => {
  t = await startSender();
  endpoint = await startEndpoint();
});
afterAll(async () => {
  await endpoint.close();
  await t.stop();
});

describe('reference, Webhook delivery', () => {
  const fields = {
    id: integer,
    event_id: string,
    started_at: utc,
    completed_at: utc,
    response_status: integer,
    response_headers: texts,
    response_error: nothing,
    response_body: string,
    outcome: string,
  };

  it('reference, Webhook delivery: nine attributes; every attempt is one, with the event’s id; ok, retried, failed (reference R-webhooks-11, R-webhooks-12, R-webhooks-13, R-webhooks-14, R-webhooks-15, R-events-9)', async () => {
    const { id } = await makeHook(t.demo, endpoint.url);
    endpoint.answer(answering(500, { 'x-seen': 'yes' }, 'no'));
    await makeNearMiss(t.demo);
    await until(async () => (await deliveriesOf(t.demo, id)).length === 1);
    endpoint.answer(answering(202, { 'x-seen': 'again' }, 'taken'));
    t.clock.advance(2000);
    await until(async () => (await deliveriesOf(t.demo, id)).length === 2);
    endpoint.answer(answering(410));
    await makeNearMiss(t.demo);
    await until(async () => (await deliveriesOf(t.demo, id)).length === 3);
    const all = await deliveriesOf(t.demo, id);
    const [last, second, first] = all;
    for (const one of [last, first])
      expectFields({ ...one }, { ...fields, response_error: string });
    expectFields({ ...second }, fields);
    expect(first).toMatchObject({
      outcome: 'retried',
      response_status: 500,
      response_headers: { 'x-seen': 'yes' },
      response_body: 'no',
    });
    expect(second).toMatchObject({
      outcome: 'ok',
      response_status: 202,
      response_headers: { 'x-seen': 'again' },
      response_body: 'taken',
    });
    expect(last).toMatchObject({ outcome: 'failed', response_status: 410 });
    expect(new Set(all.map((one) => one.id)).size).toBe(3);
    expect(second?.event_id).toBe(first?.event_id);
    expect(last?.event_id).not.toBe(first?.event_id);
    expect(second?.started_at).toBe(new Date(t.clock.now()).toISOString());
  });

  it('reference, Webhooks management: company_id or project_id selects the deliveries; a hook of the other kind is not there (reference R-webhooks-17)', async () => {
    endpoint.answer(answering(200));
    const company = await makeHook(t.demo, endpoint.url);
    const project = await makeHook(t.demo, endpoint.url, { project_id: t.demo.project_id });
    const [byCompany, byProject] = [
      `company_id=${t.demo.company_id}`,
      `project_id=${t.demo.project_id}`,
    ];
    for (const [{ id }, right, wrong] of [
      [company, byCompany, byProject],
      [project, byProject, byCompany],
    ] as const) {
      const path = `/vapid/webhooks/hooks/${id}/deliveries`;
      expect((await t.demo.get(`${path}?${right}`)).status).toBe(200);
      expect((await t.demo.get(`${path}?${wrong}`)).status).toBe(404);
    }
    await t.demo.delete(`${HOOKS}/${company.id}`);
    await t.demo.delete(`${HOOKS}/${project.id}`);
  });
});
