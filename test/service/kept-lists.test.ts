/** Texts of rows that are kept from one list to the next are never older than their record. */
import { afterAll, beforeAll, describe } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';
import { keptListCases } from './kept-list-cases.ts';

let t: TestService;
// The clock stands still: no moment tells one change from the next.
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

describe('lists whose texts are kept', () => keptListCases(() => [t.demo]));
