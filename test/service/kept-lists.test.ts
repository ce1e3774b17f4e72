/** Row texts cached between lists are never older than their record. */
import { afterAll, beforeAll, describe } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';
import { keptListCases } from './kept-list-cases.ts';

let t: TestService;
// The clock stands still, so timestamps cannot distinguish changes.
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

describe('lists whose texts are kept', () => keptListCases(() => [t.demo]));
