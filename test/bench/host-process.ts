/**
 * The browser shell's host in a process of its own, without a window: a data folder and the folder of a built page are
 * its arguments, one line with the page's one-time address is its answer. A token lives in memory.
 */
import { createInterface } from 'node:readline';
import { startWindowServer } from '../../src/browser/server.ts';
import { startHost } from '../../src/host/index.ts';
import { memoryVault } from '../../src/host/vault/memory.ts';
import { REPLY_WORKER } from '../../src/host/reply-worker-source.ts';

const [data_dir = '', files = '', port = '0'] = process.argv.slice(2);
const started = await startHost({
  reply_worker: REPLY_WORKER,
  data_dir,
  vault: memoryVault(),
  start_service: null,
  shell: 'test',
  version: 'bench',
  log: () => {},
});
if (!started.ok) throw new Error(started.problem.detail);
const server = await startWindowServer({ host: started.value, files, port: Number(port) });
console.log(JSON.stringify({ address: server.address() }));
// Each line asks for another address; the end of the input ends the host.
createInterface({ input: process.stdin })
  .on('line', () => console.log(JSON.stringify({ address: server.address() })))
  .on('close', () => {
    void server
      .stop()
      .then(() => started.value.stop())
      .then(() => process.exit(0));
  });
