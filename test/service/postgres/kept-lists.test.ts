/** Two processes on one database keep texts of rows, each for itself: what one changes is in the next list of the other. */
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
  // One user asks both: what one may see the other may.
  clients = processes.map((one) => clientOf(one.first.url, first.first));
});
afterAll(async () => {
  await Promise.all(processes.map((one) => one.end()));
  dir.remove();
});

describe('two processes that keep texts', () => keptListCases(() => clients));
