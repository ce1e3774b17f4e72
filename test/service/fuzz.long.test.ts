/**
 * Every route under random input, generated from the route table: no 5xx, and no response body that the contract does not
 * describe (failures S18, S23). Twenty new requests per route; `npm run prove -- service` sends 100,000.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyEndpoint, endpointNames } from '../../src/contract/rest/index.ts';
import { judge, requestsTo } from '../prove/requests.ts';
import { startTestService, type TestService } from '../support/service.ts';

let t: TestService;
beforeAll(async () => {
  // Guesses of codes are limited by the minute, which another test proves.
  t = await startTestService({ 'enrolment-rate': 0 });
});
afterAll(() => t.stop());

describe('failures, API fuzz: every route', () => {
  for (const name of endpointNames) {
    const spec = anyEndpoint(name);
    it(`failures S18, S23: ${name} answers random input with a documented status and shape`, async () => {
      const property = fc.asyncProperty(requestsTo(spec, t.demo), async (request) => {
        expect((await judge(spec, t.demo, request)).wrong).toBeNull();
      });
      await fc.assert(property, { numRuns: 20 });
    });
  }
});
