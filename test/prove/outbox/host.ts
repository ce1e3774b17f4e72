/**
 * The browser shell's host as a program for the proof: the real host and window server, with the driver page as its window.
 * Short timeouts, and a keychain file next to the data, so that a restarted host finds its token. Arguments: data folder, the
 * window's files. Prints one line per address.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { windowPort } from '../../../src/browser/port.ts';
import { startWindowServer } from '../../../src/browser/server.ts';
import { startHost } from '../../../src/host/index.ts';
import type { Vault } from '../../../src/host/vault/index.ts';
import { REPLY_WORKER } from '../../../src/host/http/reply-worker-source.ts';

const [, , data_dir = '', files = ''] = process.argv;

const fileVault = (path: string): Vault => {
  const read = (): Record<string, string> => {
    try {
      return JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
    } catch {
      return {};
    }
  };
  return {
    kind: 'keychain',
    get: async (account) => {
      const token = read()[account];
      return token === undefined ? { state: 'empty' } : { state: 'ok', token };
    },
    set: async (account, token) => {
      writeFileSync(path, JSON.stringify({ ...read(), [account]: token }), { mode: 0o600 });
      return 'ok';
    },
    remove: async (account) => {
      const { [account]: _gone, ...rest } = read();
      writeFileSync(path, JSON.stringify(rest), { mode: 0o600 });
      return 'ok';
    },
    holds: async (account) => account in read(),
    accounts: async () => Object.keys(read()),
    stop: async () => undefined,
  };
};

mkdirSync(data_dir, { recursive: true, mode: 0o700 });
const started = await startHost({
  reply_worker: REPLY_WORKER,
  data_dir,
  vault: fileVault(join(data_dir, 'proof-keychain.json')),
  start_service: null,
  shell: 'browser',
  version: 'proof',
  log: (line) => console.error(JSON.stringify(line)),
  // Short, so that a stalled answer costs little, but long enough for a busy laptop.
  limits: { connect_ms: 5_000, idle_ms: 4_000, overall_ms: 20_000, ms_per_byte: 1 / 8 },
});
if (!started.ok) {
  console.error(JSON.stringify(started.problem));
  process.exit(1);
}
const server = await startWindowServer({
  host: started.value,
  files,
  port: (await windowPort(data_dir)).port,
});
console.log(server.address());
// It ends by SIGKILL, so save the compile cache now.
flushCompileCache();
createInterface({ input: process.stdin })
  .on('line', () => console.log(server.address()))
  // Its parent has exited.
  .on('close', () => process.exit(0));
