/**
 * A real service for tests: in this process with a clock controlled by the test, or as a child process as users run it. Both
 * use a real database (see database.ts) and a temporary folder, and listen on loopback. Used by the tests of service, host and
 * end to end.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Level } from '../../src/contract/rest/access/levels.ts';
import { openDemo, type Access } from '../../src/service/demo/seats.ts';
import { startService, type Service } from '../../src/service/index.ts';
import type { Options } from '../../src/service/options.ts';
import { databaseOf, migratedInto, type TestDatabase } from './database.ts';
import { checkAnswer, checkPlainAnswer } from './openapi.ts';

/** A temporary folder and a function that removes it. */
export const tempDir = (name: string): { readonly path: string; remove(): void } => {
  const path = mkdtempSync(join(tmpdir(), `spotter-${name}-`));
  // A process that has just ended may still write its last line, so retry.
  const patient = { maxRetries: 10, retryDelay: 100 };
  return { path, remove: () => rmSync(path, { recursive: true, force: true, ...patient }) };
};

/** A clock that moves only when the test moves it. */
export interface TestClock {
  readonly now: () => number;
  set(ms: number): void;
  advance(ms: number): void;
}

export const testClock = (start = Date.UTC(2026, 0, 15, 12)): TestClock => {
  let ms = start;
  return {
    now: () => ms,
    set: (to) => {
      ms = to;
    },
    advance: (by) => {
      ms += by;
    },
  };
};

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined without one. Tests assert its shape. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly json: any;
}

interface Ask {
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends requests as one user of one company. */
export interface Client extends Access {
  readonly url: string;
  /** `path` starts with `/`; a leading `~` expands to `/rest/v1.0/projects/<project>`. */
  ask(method: string, path: string, ask?: Ask): Promise<Answer>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  patch(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  delete(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

/** @param plain for a service started with `--plain` */
export const clientOf = (url: string, access: Access, plain = false): Client => {
  const check = plain ? checkPlainAnswer : checkAnswer;
  const ask: Client['ask'] = async (method, path, { body, raw, headers } = {}) => {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(
      url + path.replace(/^~/, `/rest/v1.0/projects/${access.project_id}`),
      {
        method,
        headers: {
          authorization: `Bearer ${access.token}`,
          'service-company-id': String(access.company_id),
          ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(sent === undefined ? {} : { body: sent }),
      },
    );
    const text = await response.text();
    const { status, headers: answered } = response;
    check({ method, url: response.url, status, headers: answered, text });
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson && text !== '' ? (JSON.parse(text) as unknown) : undefined,
    };
  };
  const headed = (headers?: Readonly<Record<string, string>>) => (headers ? { headers } : {});
  return {
    ...access,
    url,
    ask,
    get: (path, headers) => ask('GET', path, headed(headers)),
    post: (path, body, headers) => ask('POST', path, { body, ...headed(headers) }),
    patch: (path, body, headers) => ask('PATCH', path, { body, ...headed(headers) }),
    delete: (path, headers) => ask('DELETE', path, headed(headers)),
  };
};

export interface TestService {
  readonly service: Service;
  readonly clock: TestClock;
  readonly url: string;
  readonly data_dir: string;
  readonly database: TestDatabase;
  /** Client of the demo company's user. */
  readonly demo: Client;
  /** Client of the demo company's user of a level; `demo` is the admin. */
  as(level: Level): Client;
  /** Client of the second company's user. */
  readonly other: Client;
  /** Restarts it on the same folder, port and clock. Clients stay valid. */
  restart(): Promise<void>;
  /** Stops it and removes the folder. */
  stop(): Promise<void>;
}

/** Starts a service with demo data in this process. */
export const startTestService = async (
  options: Partial<Options> = {},
  clock: TestClock = testClock(),
  /** Without the demo's photos and the rest of its company's data, which take most of the start time. */
  furnished = false,
): Promise<TestService> => {
  const dir = tempDir('service');
  const database = await databaseOf(dir.path);
  await migratedInto(dir.path);
  const start = (port: number): Promise<Service> =>
    startService({
      // The test's clock stands still, so the rate limit's minute would never end.
      options: {
        'data-dir': dir.path,
        'rate-limit': 0,
        ...database.options,
        ...options,
        port,
      },
      clock: clock.now,
    });
  let service = await start(0);
  const { other, tokens, ...demo } = await openDemo(
    service.app.store,
    clock.now(),
    service.app.uploads.files,
    furnished,
  );
  const { url, port } = service;
  return {
    get service() {
      return service;
    },
    clock,
    url,
    data_dir: dir.path,
    database,
    demo: clientOf(url, demo, options.plain),
    as: (level) => clientOf(url, { ...demo, token: tokens[level] }, options.plain),
    other: clientOf(url, other, options.plain),
    restart: async () => {
      await service.stop();
      service = await start(port);
    },
    stop: async () => {
      await service.stop();
      await database.drop();
      dir.remove();
    },
  };
};

const CLI = fileURLToPath(new URL('../../src/service/cli.ts', import.meta.url));

export interface ServiceProcess {
  readonly child: ChildProcess;
  /** The first line of stdout, parsed. */
  readonly first: Access & { readonly url: string; readonly docs: string; readonly other: Access };
  /** All output so far. */
  stdout(): string;
  stderr(): string;
  /** Sends the signal and waits for the end. */
  end(
    signal?: NodeJS.Signals,
  ): Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const collect = (child: ChildProcess) => {
  const out = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (out.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (out.stderr += text));
  return out;
};

/** Adds the options of the data folder's database, unless the arguments choose a database. */
const withDatabase = async (argv: readonly string[]): Promise<readonly string[]> => {
  const at = argv.findIndex((arg) => /^--data-dir(=|$)/.test(arg));
  const folder = argv[at]?.split('=')[1] ?? argv[at + 1];
  if (at < 0 || folder === undefined || argv.some((arg) => arg.startsWith('--database-url')))
    return argv;
  if (argv.includes('--demo-bare')) await migratedInto(folder);
  return [...argv, ...(await databaseOf(folder)).argv];
};

/** Runs the command line to its end: `--help`, refusals. */
export const runCli = async (
  argv: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Finished> => {
  const child = spawn(process.execPath, [CLI, ...(await withDatabase(argv))], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const out = collect(child);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...out };
};

/** Starts a command that the test ends early. */
export const spawnCli = async (argv: readonly string[]): Promise<Pick<ServiceProcess, 'end'>> => {
  const child = spawn(process.execPath, [CLI, ...(await withDatabase(argv))], { stdio: 'ignore' });
  const closed = once(child, 'close') as Promise<[number | null, string | null]>;
  return {
    end: async (signal = 'SIGTERM') => {
      child.kill(signal);
      const [code, by] = await closed;
      return { code, signal: by };
    },
  };
};

/**
 * Command line of a demo service on a free port. `--demo-bare`, because drawing the demo's photos takes most of the start time.
 * @param more further options of the service, such as `--log-level=error`
 */
export const bareDemo = (folder: string, ...more: readonly string[]): readonly string[] => [
  '--demo',
  '--demo-bare',
  '--port=0',
  '--rate-limit=0',
  `--data-dir=${folder}`,
  ...more,
];

/**
 * Starts the service as a user would: `cli.ts` in a child process. Resolves with its first line. @throws with the output if the
 * process ends before that line
 */
export const spawnService = async (
  argv: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> => {
  const child = spawn(process.execPath, [CLI, ...(await withDatabase(argv))], {
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const out = collect(child);
  const closed = once(child, 'close') as Promise<[number | null, string | null]>;
  const line = await new Promise<string>((resolve, reject) => {
    const look = (): void => {
      const at = out.stdout.indexOf('\n');
      if (at >= 0) resolve(out.stdout.slice(0, at));
    };
    child.stdout.on('data', look);
    void closed.then(([code]) => reject(new Error(`the service ended (${code}): ${out.stderr}`)));
  });
  return {
    child,
    first: JSON.parse(line) as ServiceProcess['first'],
    stdout: () => out.stdout,
    stderr: () => out.stderr,
    end: async (signal = 'SIGTERM') => {
      // Windows has no SIGTERM. There an embedded service ends when its input ends.
      const asks = signal === 'SIGTERM' && process.platform === 'win32';
      if (asks && argv.includes('--embedded')) child.stdin.end();
      else if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      const [code, by] = await closed;
      return { code, signal: by };
    },
  };
};
