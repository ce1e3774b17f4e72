/** Two processes on one database cache row texts separately: a change by one appears in the next list of the other. */
import { afterAll, beforeAll, describe } from 'vitest';
import {
  bareDemo,
  clientOf,
  spawnService,
  tempDir,
  type Client,
  type ServiceProcess,
} from '../../support/service.ts';
import { keptListCases } from '../kept-list-cases.ts';

const dir = tempDir('kept-lists');
let processes: readonly ServiceProcess[] = [];
let clients: readonly Client[] = [];

beforeAll(async () => {
  const first = await spawnService(bareDemo(dir.path));
  processes = [first, await spawnService(bareDemo(dir.path))];
  // The same user asks both, so both may see the same.
  clients = processes.map((one) => clientOf(one.first.url, first.first));
});
afterAll(async () => {
  await Promise.all(processes.map((one) => one.end()));
  dir.remove();
});

describe('two processes that keep texts', () => keptListCases(() => clients));
