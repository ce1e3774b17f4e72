/**
 * The browser shell's host in a separate process, without a window. Arguments: a data folder and the folder of a built page.
 * Prints one line with the page's one-time address. The token is kept in memory.
 */
import { createInterface } from 'node:readline';
import { startWindowServer } from '../../src/browser/server.ts';
import { startHost } from '../../src/host/index.ts';
import { memoryVault } from '../../src/host/vault/memory.ts';
import { REPLY_WORKER } from '../../src/host/http/reply-worker-source.ts';

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
// Each input line requests another address; the end of the input stops the host.
createInterface({ input: process.stdin })
  .on('line', () => console.log(JSON.stringify({ address: server.address() })))
  .on('close', () => {
    void server
      .stop()
      .then(() => started.value.stop())
      .then(() => process.exit(0));
  });
