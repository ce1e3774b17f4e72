/**
 * Every route under random input, generated from the route table: no 5xx, no answer whose body the contract does not
 * describe (failures S18, S23, and the promise "API fuzz, every route" in its short form).
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/contract/rest/endpoint.ts';
import { errorBody } from '../../src/contract/rest/errors.ts';
import { endpointNames, endpoints } from '../../src/contract/rest/index.ts';
import { startTestService, type TestService } from '../support/service.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

const EXPECTED = [200, 201, 204, 304, 400, 403, 404, 410, 412, 413, 415, 422];

const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(null, 1, 0, -1, 2 ** 53, 1.5, true, '', 'x', [], {}, '1'),
);
const nearMissBody = fc.record(
  {
    incident_id: fc.oneof(fc.constantFrom<unknown>(1, 2, 99), anything),
    description: fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), anything),
    harm_source_id: fc.oneof(fc.constantFrom<unknown>(1, null), anything),
    upload_uuids: fc.oneof(fc.array(fc.string()), anything),
    custom_field_1: anything,
    custom_field_5: anything,
  },
  { requiredKeys: [] },
);
const insuranceBody = fc.record(
  {
    id: fc.oneof(fc.integer({ min: 1, max: 9 }), anything),
    origin_id: fc.oneof(fc.constantFrom<unknown>('a', 'b', null), anything),
    name: anything,
    limit: fc.oneof(fc.constant('5.00'), anything),
    effective_date: fc.oneof(fc.constant('2026-02-01'), anything),
    status: fc.oneof(fc.constant('compliant'), anything),
    exempt: anything,
  },
  { requiredKeys: [] },
);
const idLists = fc.oneof(fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 8 }), anything);
const bodies = fc.oneof(
  anything,
  fc.record({ insurance: fc.oneof(insuranceBody, anything) }),
  fc.record({ updates: fc.oneof(fc.array(fc.oneof(insuranceBody, anything)), anything) }),
  fc.record({ party_ids: idLists }),
  fc.record({ project_membership: fc.record({ party_id: fc.oneof(fc.nat(12), anything) }) }),
  fc.record({
    time_and_material_entry_id: fc.oneof(fc.constantFrom<unknown>(1, 2), anything),
    time_and_material_entry_attachment: fc.record(
      {
        documents: idLists,
        folders: idLists,
        upload_uuids: fc.oneof(fc.array(fc.string()), anything),
        time_and_material_entry_attachment_ids: idLists,
      },
      { requiredKeys: [] },
    ),
  }),
  fc.record({ near_miss: fc.oneof(nearMissBody, anything) }),
  fc.record({
    incident: fc.record(
      { title: fc.oneof(fc.string(), anything), event_date: anything, private: anything },
      { requiredKeys: [] },
    ),
  }),
  fc.record(
    {
      response_filename: fc.oneof(fc.string({ unit: 'binary' }), anything),
      response_content_type: anything,
      size: anything,
      segments: anything,
    },
    { requiredKeys: [] },
  ),
  fc.record({
    company_id: fc.constantFrom<unknown>(1, 1, 1, 2, '1'),
    hook: fc.record(
      {
        destination_url: fc.oneof(
          fc.constant('https://93.184.215.14/'),
          fc.ipV4().map((ip) => `http://${ip}/`),
          anything,
        ),
        namespace: fc.oneof(fc.constant('core'), anything),
        destination_headers: fc.oneof(
          fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })),
          anything,
        ),
      },
      { requiredKeys: ['destination_url'] },
    ),
    api_version: fc.constant('v2'),
    // No valid one: a test must not send to the addresses above.
    trigger: fc.record({ resource_name: anything, event_type: anything }),
  }),
);
const ids = fc.oneof(
  fc.integer({ min: 1, max: 270 }).map(String),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }).map(encodeURIComponentSafely),
);

function encodeURIComponentSafely(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

describe('failures, API fuzz: every route', () => {
  for (const name of endpointNames) {
    const spec: Endpoint = endpoints[name];
    it(`failures S18, S23: ${name} answers random input with a documented status and shape`, async () => {
      await fc.assert(
        fc.asyncProperty(ids, ids, bodies, fc.boolean(), async (id, second, body, keyed) => {
          const path = spec.path
            .replace('{project_id}', String(t.demo.project_id))
            .replace('{company_id}', String(t.demo.company_id))
            .replace(/\{(attachment_id|vendor_id)\}/, () => second)
            .replace('{hook_id}', () => id)
            .replace(/\{(id|uuid)\}/, id);
          const answer = await t.demo.ask(spec.method, path, {
            ...(spec.method === 'GET' ? {} : { body }),
            headers:
              keyed && spec.method !== 'GET' ? { 'idempotency-key': second.slice(0, 255) } : {},
          });
          expect(EXPECTED, `${path} ${answer.text}`).toContain(answer.status);
          if (answer.status >= 400) expect(errorBody.safeParse(answer.json).error).toBeUndefined();
          else if (answer.status !== 204)
            expect(spec.reply.safeParse(answer.json).error).toBeUndefined();
        }),
        { numRuns: 60 },
      );
    });
  }
});
