/**
 * Has pictures decoded by a process of its own (thumbnail-process.ts), one at a time: bytes of strangers are never decoded where
 * tokens and databases are. The process is started for the first picture, gets a bare environment, is ended when it takes
 * too long or too much memory, and goes by itself when nothing is asked of it for a while.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { ownProgram } from '../own-program.ts';
import type { Done, Job } from './thumbnail-process.ts';

/** `out_of_bounds`: it took too much memory, or crashed. `late`: it took too long. */
export type Decoded = Done | { readonly kind: 'out_of_bounds' } | { readonly kind: 'late' };

export interface Decoder {
  shrink(job: Job): Promise<Decoded>;
  stop(): void;
}

/** Milliseconds without work after which the process goes. */
const IDLE = 30_000;

/** What Node and the decoder need to run, and nothing that is worth reading. */
const KNOWN = [
  'PATH',
  'LD_LIBRARY_PATH',
  'NODE_COMPILE_CACHE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'TMPDIR',
];

const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => KNOWN.includes(name.toUpperCase())),
  ),
  // Where this program is Electron's.
  ELECTRON_RUN_AS_NODE: '1',
  // glibc would keep what one picture took in an arena for each thread.
  MALLOC_ARENA_MAX: '2',
});

const start = (): ChildProcess => {
  const child = fork(ownProgram('thumbnail-process', import.meta.url), [], {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: environment(),
  });
  child.on('error', () => undefined);
  return child;
};

/** @param timeout milliseconds for one picture, the start of the process included */
export const createDecoder = (timeout: number): Decoder => {
  let child: ChildProcess | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  let stopped = false;

  const end = (): void => {
    clearTimeout(idle);
    child?.kill('SIGKILL');
    child = null;
  };

  const ask = (worker: ChildProcess, job: Job): Promise<Decoded> =>
    new Promise((resolve) => {
      const settle = (decoded: Decoded): void => {
        clearTimeout(late);
        worker.removeAllListeners('message').removeAllListeners('exit');
        if (decoded.kind === 'late' || decoded.kind === 'out_of_bounds') end();
        resolve(decoded);
      };
      const late = setTimeout(() => settle({ kind: 'late' }), timeout);
      worker.on('message', (done) => settle(done as Done));
      worker.on('exit', () => settle({ kind: 'out_of_bounds' }));
      worker.send(job, (error) => {
        if (error) settle({ kind: 'out_of_bounds' });
      });
    });

  const one = async (job: Job): Promise<Decoded> => {
    if (stopped) return { kind: 'late' };
    clearTimeout(idle);
    if (child === null || child.exitCode !== null || child.signalCode !== null) child = start();
    child.ref();
    child.channel?.ref();
    const decoded = await ask(child, job);
    // One that waits for work keeps nobody running.
    child?.unref();
    child?.channel?.unref();
    idle = setTimeout(end, IDLE).unref();
    return decoded;
  };

  return {
    shrink: (job) => {
      const mine = last.then(() => one(job));
      last = mine.catch(() => undefined);
      return mine;
    },
    stop: () => {
      stopped = true;
      end();
    },
  };
};
