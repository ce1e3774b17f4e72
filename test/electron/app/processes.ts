/** `utilityProcess`: a separate Node process with a message port and no stdin. */
import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type * as Electron from 'electron';
import { known } from './known.ts';
import { note } from './line.ts';
import { isReady } from './readiness.ts';

/**
 * base::EnsureProcessTerminated (shell/browser/api/electron_api_utility_process.cc, Kill): SIGKILL if SIGTERM had no effect.
 */
const KILL_MS = 2_000;

type Known = Pick<Electron.UtilityProcess, 'pid' | 'stdout' | 'stderr' | 'postMessage' | 'kill'>;
type Stdio = 'pipe' | 'ignore' | 'inherit';

/** lib/browser/api/utility-process.ts: "stdin value other than ignore is not supported." */
const stdioOf = (given: Electron.ForkOptions['stdio']): Stdio[] => {
  if (given === undefined) return ['ignore', 'inherit', 'inherit'];
  if (typeof given === 'string') return ['ignore', given as Stdio, given as Stdio];
  if (given[0] !== 'ignore') throw new Error('stdin value other than ignore is not supported.');
  return given as Stdio[];
};

class StandInProcess extends EventEmitter implements Known {
  stdout: PassThrough | null = null;
  stderr: PassThrough | null = null;
  pid: number | undefined = undefined;
  child: ChildProcess;
  killed = false;
  constructor(script: string, args: string[] = [], options: Electron.ForkOptions = {}) {
    super();
    // electron_api_utility_process.cc, Create.
    if (!isReady()) throw new TypeError('utilityProcess cannot be created before app is ready.');
    const stdio = stdioOf(options.stdio);
    if (stdio[1] === 'pipe') this.stdout = new PassThrough();
    if (stdio[2] === 'pipe') this.stderr = new PassThrough();
    this.child = fork(script, args, {
      execArgv: [...(options.execArgv ?? []), '--import', join(import.meta.dirname, 'utility.ts')],
      stdio: [...stdio, 'ipc'],
      serialization: 'advanced',
      env: (options.env ?? process.env) as NodeJS.ProcessEnv,
      cwd: options.cwd,
    });
    note('utilityProcess.fork', options.serviceName ?? '', script, args);
    this.follow();

    return known('utilityProcess', this);
  }
  follow(): void {
    const { child } = this;
    if (this.stdout) child.stdout?.pipe(this.stdout);
    if (this.stderr) child.stderr?.pipe(this.stderr);
    child.on('spawn', () => {
      this.pid = child.pid;
      this.emit('spawn');
    });
    // docs/api/utility-process.md, message: the value itself, not an event.
    child.on('message', (message) => this.emit('message', structuredClone(message)));
    child.on('error', () => undefined);
    // 'close', not 'exit', so that the last output arrives before the end, as through a pipe.
    child.on('close', (code, signal) => {
      // HandleTermination: a process ended by kill() counts as a clean exit.
      const byUs = this.killed && (signal === 'SIGTERM' || signal === 'SIGKILL');
      this.pid = undefined;
      note('utilityProcess exit', code, signal);
      this.emit('exit', byUs ? 0 : (code ?? 1));
    });
  }
  postMessage(message: unknown): void {
    if (this.child.connected) this.child.send(structuredClone(message) as object, () => undefined);
  }
  /** On Linux and macOS SIGTERM, then SIGKILL; on Windows TerminateProcess at once. */
  kill(): boolean {
    const { child } = this;
    const over = (): boolean => child.exitCode !== null || child.signalCode !== null;
    if (over()) return false;
    this.killed = true;
    const sent = child.kill(process.platform === 'win32' ? 'SIGKILL' : 'SIGTERM');
    setTimeout(() => {
      if (!over()) {
        note('utilityProcess SIGKILL');
        child.kill('SIGKILL');
      }
    }, KILL_MS).unref();
    return sent;
  }
}

export const utilityProcess = known('utilityProcess', {
  fork: (script: string, args?: string[], options?: Electron.ForkOptions) =>
    new StandInProcess(script, args, options),
});
