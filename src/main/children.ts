/**
 * Starts the embedded service and the keychain's child as utility processes. Both are built into out/main beside this file.
 * `child_process.fork` would need the fuse runAsNode, which a packaged app turns off.
 */
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { utilityProcess } from 'electron';
import { embeddedServiceLine } from '../contract/service-line.ts';
import type { StartService } from '../host/session/embedded.ts';
import {
  COMMAND_MS,
  commandArguments,
  serviceArguments,
  serviceEnvironment,
  stopService,
  type OwnServiceKind,
  type RunCommand,
} from '../host/session/embedded-service.ts';
import type { VaultChild } from '../host/vault/keytar.ts';

const here = import.meta.dirname;

/** @param folder the service's data folder */
export const startServiceProcess =
  (folder: string, kind: OwnServiceKind, log: (text: string) => void): StartService =>
  async (stopped) => {
    // A utility process has no stdin to watch, so a message asks it to stop. Electron ends it together with the app.
    const child = utilityProcess.fork(join(here, 'service.js'), serviceArguments(folder, kind), {
      serviceName: 'Spotter service',
      stdio: 'pipe',
      env: serviceEnvironment(process.env),
    });
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const stop = (): Promise<void> =>
      stopService({
        ask: () => child.postMessage('stop'),
        kill: (signal) => {
          if (child.pid !== undefined) process.kill(child.pid, signal);
        },
        exited,
      });
    stopped?.addEventListener('abort', () => void stop(), { once: true });
    // The last line on stderr says why the service did not start.
    let lastWords = '';
    if (child.stderr !== null)
      createInterface({ input: child.stderr }).on('line', (line) => {
        if (line.trim() !== '') lastWords = line;
        log(line);
      });
    child.stdout?.resume();
    // The service's first message holds its address and token, so the token never passes through a text pipe.
    const first = await Promise.race([
      new Promise<unknown>((resolve) => child.once('message', resolve)),
      exited.then(() => undefined),
    ]);
    if (first === undefined)
      throw new Error(`the service on this laptop did not start: ${lastWords}`);
    const { docs: _docs, ...access } = embeddedServiceLine.parse(first);
    return { ...access, exited, stop };
  };

/** @param folder the service's data folder */
export const runServiceCommand =
  (folder: string): RunCommand =>
  async (words) => {
    const child = utilityProcess.fork(join(here, 'service.js'), commandArguments(words, folder), {
      serviceName: 'Spotter service command',
      stdio: 'pipe',
      env: serviceEnvironment(process.env),
    });
    let said: string | null = null;
    let why = '';
    child.stderr?.on('data', (chunk) => (why += String(chunk)));
    child.stdout?.resume();
    // An idle utility process does not exit, so it is killed after its answer.
    child.once('message', (answer: unknown) => {
      said = JSON.stringify(answer);
      child.kill();
    });
    const late = setTimeout(() => child.kill(), COMMAND_MS);
    const code = await new Promise<number>((resolve) => child.once('exit', resolve));
    clearTimeout(late);
    return { said, code, why: why.trim() };
  };

export const spawnVaultChild = (): VaultChild => {
  const child = utilityProcess.fork(join(here, 'keytar-child.js'), [], {
    serviceName: 'Spotter keychain',
    stdio: 'ignore',
  });
  return {
    send: (call) => child.postMessage(call),
    onAnswer: (hear) => void child.on('message', hear),
    onExit: (hear) => void child.once('exit', hear),
    kill: () => void child.kill(),
  };
};
