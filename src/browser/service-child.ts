/**
 * Runs the embedded service as a child process of the browser shell. With `--embedded` the service stops when its stdin closes,
 * so it never outlives this program. Its token arrives on its stdout, never in argv.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { embeddedServiceLine } from '../contract/service-line.ts';
import type { StartService } from '../host/session/embedded.ts';
import {
  COMMAND_MS,
  commandArguments,
  serviceArguments,
  serviceEnvironment,
  serviceProgram,
  stopService,
  type OwnServiceKind,
  type RunCommand,
} from '../host/session/embedded-service.ts';
import { nodeMemory } from '../setup/node-memory.ts';

const CLI = serviceProgram();

/** @param folder the service's data folder */
export const startServiceChild =
  (folder: string, kind: OwnServiceKind, log: (text: string) => void): StartService =>
  async (stopped) => {
    const child = spawn(
      process.execPath,
      [...nodeMemory, CLI, '--embedded', ...serviceArguments(folder, kind)],
      { stdio: ['pipe', 'pipe', 'pipe'], env: serviceEnvironment(process.env) },
    );
    const exited = once(child, 'exit');
    exited.catch(() => undefined);
    // A write fails when the child has ended, which is not an error.
    child.stdin.on('error', () => undefined);
    const stop = (): Promise<void> =>
      stopService({
        ask: () => child.stdin.end(),
        kill: (signal) => child.kill(signal),
        exited,
      });
    stopped?.addEventListener('abort', () => void stop(), { once: true });
    let lastWords = '';
    createInterface({ input: child.stderr }).on('line', (line) => {
      lastWords = line;
      log(line);
    });
    const lines = createInterface({ input: child.stdout });
    const first = await Promise.race([
      once(lines, 'line').then(([line]) => String(line)),
      exited.then(
        () => undefined,
        () => undefined,
      ),
    ]);
    if (first === undefined)
      throw new Error(`the service on this laptop did not start: ${lastWords}`);
    const { docs: _docs, ...access } = embeddedServiceLine.parse(JSON.parse(first));
    return { ...access, exited, stop };
  };

/** @param folder the service's data folder */
export const runServiceCommand =
  (folder: string): RunCommand =>
  async (words) => {
    const child = spawn(
      process.execPath,
      [...nodeMemory, CLI, ...commandArguments(words, folder)],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: serviceEnvironment(process.env),
        timeout: COMMAND_MS,
      },
    );
    const [closed, said, why] = await Promise.all([
      once(child, 'close'),
      text(child.stdout),
      text(child.stderr),
    ]);
    const code = closed[0] as number | null;
    return { said: code === 0 ? said : null, code, why: why.trim() };
  };
