/** Starts the host, the embedded service and the window's server: the whole browser shell except the window. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../host/lib/clock.ts';
import { startHost, type StartProblem } from '../host/index.ts';
import type { LocalCompanyParts } from '../host/session/local-company.ts';
import { REPLY_WORKER } from '../host/http/reply-worker-source.ts';
import { readPolicy } from '../host/policy.ts';
import { announceService } from '../host/session/announce-service.ts';
import { forkVaultChild } from '../host/vault/keytar-fork.ts';
import { keytarVault } from '../host/vault/keytar.ts';
import { openLink } from './open-link.ts';
import type { ShellOptions } from './options.ts';
import { windowPort } from './port.ts';
import { startWindowServer, type WindowServer } from './server.ts';
import { runServiceCommand, startServiceChild } from './service-child.ts';

const WINDOW = fileURLToPath(new URL('../../out/renderer', import.meta.url));
const VERSION = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  }
).version;

export interface ShellStart extends Pick<ShellOptions, 'data_dir' | 'port' | 'server'> {
  /** Prints a line for the user in the terminal. */
  readonly say: (line: string) => void;
  /** Prints a log line in the terminal. */
  readonly log: (line: string) => void;
  /** Called with a sentence for the user after the host stopped because another program took over the data folder. */
  readonly lost: (detail: string) => void;
}

interface Shell {
  readonly server: WindowServer;
  stop(): Promise<void>;
}

type Started =
  | { readonly ok: true; readonly value: Shell }
  | { readonly ok: false; readonly problem: StartProblem };

const localCompany = (folder: string, log: (line: string) => void): LocalCompanyParts => ({
  folder,
  start: startServiceChild(folder, 'company', log),
  command: runServiceCommand(folder),
});

export const startShell = async (options: ShellStart): Promise<Started> => {
  const { data_dir, say, log } = options;
  let taken: number | null = null;
  const started = await startHost({
    reply_worker: REPLY_WORKER,
    data_dir,
    window_store: join(data_dir, 'browser/Default/IndexedDB'),
    vault: keytarVault({
      marker_path: join(data_dir, 'vault.json'),
      clock: systemClock,
      spawn: forkVaultChild,
    }),
    start_service: startServiceChild(join(data_dir, 'service'), 'sample', log),
    run_command: runServiceCommand(join(data_dir, 'service')),
    local_company: localCompany(join(data_dir, 'local-company'), log),
    open_link: openLink,
    phone_page: join(WINDOW, 'phone.html'),
    report_page: join(WINDOW, 'report.html'),
    port_taken: () => taken,
    default_server: options.server ?? null,
    policy: await readPolicy(),
    shell: 'browser',
    version: VERSION,
    log: (line) => log(JSON.stringify(line)),
    lost: options.lost,
  });
  if (!started.ok) return started;
  const host = started.value;
  announceService(host, say);
  const chosen = { port: options.port, taken: null };
  const drawn = options.port === 0 ? await windowPort(data_dir) : chosen;
  const { port } = drawn;
  taken = drawn.taken;
  const server = await startWindowServer({ host, files: WINDOW, port });
  if (taken !== null)
    say(
      `Port ${taken}, where this window was before, belongs to another program now: the window opens on ${port} with all that waits and all drafts, and on ${taken} again when that is free.`,
    );
  say(`Spotter answers at ${server.origin}; its data is in ${data_dir}`);
  const stop = async (): Promise<void> => {
    await server.stop();
    await host.stop();
  };
  return { ok: true, value: { server, stop } };
};
