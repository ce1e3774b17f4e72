/** 100,000 random requests over every route: no 5xx and no undocumented response (failures S18, S23). */
import fc from 'fast-check';
import type { Endpoint } from '../../src/contract/rest/protocol/endpoint.ts';
import { anyEndpoint, endpointNames } from '../../src/contract/rest/index.ts';
import { startTestService } from '../support/service.ts';
import type { Case } from './run.ts';
import { judge, requestsTo, type FuzzRequest } from './requests.ts';

const REQUESTS = Number(process.env['SPOTTER_FUZZ'] ?? 100_000);
const AT_ONCE = 8;

export const fuzz: Case = {
  name: 'service',
  title: 'random requests over every route: no 5xx, every answer as documented',
  run: async (seed, _replay, share) => {
    const t = await startTestService({ 'enrolment-rate': 0 });
    const each = Math.ceil((REQUESTS * share) / endpointNames.length);
    const failures: string[] = [];
    let runs = 0;
    const send = async (spec: Endpoint, request: FuzzRequest): Promise<void> => {
      runs += 1;
      const { wrong } = await judge(spec, t.demo, request).catch((error: unknown) => ({
        wrong: `${spec.method} ${request.path} ${JSON.stringify(request.body)}: ${String(error)}`,
      }));
      if (wrong !== null) failures.push(wrong);
    };
    try {
      for (const name of endpointNames) {
        const spec = anyEndpoint(name);
        // Without shrinking: a failure is reported as sent.
        const requests = fc.sample(requestsTo(spec, t.demo), { numRuns: each, seed });
        const sender = async (): Promise<void> => {
          for (let one = requests.pop(); one; one = requests.pop()) await send(spec, one);
        };
        await Promise.all(Array.from({ length: AT_ONCE }, sender));
      }
    } finally {
      await t.stop();
    }
    return { runs, failures };
  },
};
