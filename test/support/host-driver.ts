/** Drives `host-process.ts` by calls on stdin and stdout, and kills it without a chance to clean up. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { CarrierReply } from '../../src/contract/carrier.ts';
import type { HostInput, HostMethod, HostOutput } from '../../src/contract/host.ts';
import type { Result } from '../../src/contract/problem.ts';
import { besideKeyring, type KeyringState } from './keyring.ts';

const path = fileURLToPath(new URL('../host/fixtures/host-process.ts', import.meta.url));

interface Heard {
  readonly id?: number;
  readonly result?: CarrierReply['result'];
  readonly bytes?: string;
  readonly started?: boolean;
  readonly problem?: { readonly kind: string; readonly detail: string } | null;
}

export interface DriveOptions {
  /** Runs the host with the keychain vault and a real keyring in this state. `home` keeps the keyring. */
  readonly keyring?: { readonly state: KeyringState; readonly home: string };
  /** Idle timeout of a connection, milliseconds; 30 s by default. */
  readonly idle_ms?: number;
  /** Step of the keychain at which the host kills itself: `stored`, `before-removal`, `removed`. */
  readonly die?: string;
}

export type DrivenHost = Awaited<ReturnType<typeof driveHost>>;

export const driveHost = async (folder: string, { keyring, idle_ms, die }: DriveOptions = {}) => {
  const command = [process.execPath, path, folder, ...(keyring ? ['keychain'] : [])];
  const { file, args, env } = keyring
    ? besideKeyring(keyring.state, keyring.home, command)
    : { file: process.execPath, args: command.slice(1), env: process.env };
  const child = spawn(file, args, {
    stdio: ['pipe', 'pipe', keyring ? 'ignore' : 'inherit'],
    env: {
      ...env,
      ...(idle_ms === undefined ? {} : { SPOTTER_TEST_IDLE_MS: String(idle_ms) }),
      ...(die === undefined ? {} : { SPOTTER_TEST_DIE: die }),
    },
    detached: Boolean(keyring), // its own process group, so that a kill also ends the bus and the daemon
  });
  const exited = once(child, 'exit');
  const running = (): boolean => child.exitCode === null && child.signalCode === null;
  const kill = async (): Promise<void> => {
    if (running()) {
      if (keyring) process.kill(-(child.pid ?? 0), 'SIGKILL');
      else child.kill('SIGKILL');
    }
    await exited;
  };
  /** Ends it cleanly: the host stops, then the processes started with it. */
  const end = async (): Promise<void> => {
    child.stdin.end();
    await exited;
  };
  // A call to a killed host finds the pipe closed. Tests cause this on purpose.
  child.stdin.on('error', () => undefined);
  const waiting = new Map<number, (heard: Heard) => void>();
  const first = Promise.withResolvers<Heard>();
  createInterface({ input: child.stdout }).on('line', (text) => {
    const heard = JSON.parse(text) as Heard;
    if (heard.started !== undefined) first.resolve(heard);
    if (heard.id !== undefined && heard.result) waiting.get(heard.id)?.(heard);
  });
  void exited.then(() => first.reject(new Error('the host ended before it started')));
  const { started, problem } = await first.promise;
  let count = 0;
  const ask = (method: HostMethod, input: unknown, bytes?: Uint8Array): Promise<Heard> =>
    new Promise((resolve) => {
      const id = (count += 1);
      waiting.set(id, resolve);
      const line = {
        id,
        method,
        input,
        ...(bytes ? { bytes: Buffer.from(bytes).toString('base64') } : {}),
      };
      child.stdin.write(`${JSON.stringify(line)}\n`);
    });
  /** Never settles if the host is killed meanwhile. */
  const reply = async (
    method: HostMethod,
    input: unknown,
    bytes?: Uint8Array,
  ): Promise<Result<unknown>> =>
    (await ask(method, input, bytes)).result ?? {
      ok: false,
      problem: { kind: 'bug', detail: 'no result' },
    };
  const call = async <M extends HostMethod>(method: M, input: HostInput<M>, bytes?: Uint8Array) => {
    const result = await reply(method, input, bytes);
    if (!result.ok) throw new Error(`${method}: ${JSON.stringify(result.problem)}`);
    return result.value as HostOutput<M>;
  };
  return { started, problem, reply, call, kill, end, pid: child.pid ?? 0, exited };
};
