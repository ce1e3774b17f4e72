/**
 * Downloads Electron's binary in a separate process, which may outlive the start: `node electron-download.ts ROOT SILENCE_MS`.
 * It prints progress on stdout as JSON lines and gives up only when nothing arrives for SILENCE_MS. On failure it writes the
 * reason into a note in electron's folder. @electron/get handles mirrors, proxies, checksums and cache; electron's install
 * script unpacks.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NOTE, PID } from './electron.ts';
import { runQuietly } from '../system.ts';

const [root = '', silence = '60000'] = process.argv.slice(2);
const folder = join(root, 'node_modules/electron');
const SILENCE_MS = Number(silence);

/** The slice of @electron/get used here. */
interface Get {
  downloadArtifact(options: {
    readonly version: string;
    readonly artifactName: 'electron';
    readonly platform: string;
    readonly arch: string;
    readonly cacheRoot: string | undefined;
    readonly checksums: Readonly<Record<string, string>> | undefined;
    readonly downloadOptions: {
      readonly quiet: true;
      readonly signal: AbortSignal;
      readonly getProgressCallback: (progress: {
        readonly transferred: number;
        readonly total: number | null;
      }) => void;
    };
  }): Promise<string>;
}

// The process that started this one may have ended; the download continues.
process.stdout.on('error', () => undefined);
const tell = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const words: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its server was not found',
  EAI_AGAIN: 'its server was not found',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  ETIMEDOUT: 'its server did not answer',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_CONNECT_TIMEOUT: 'its server did not answer',
  UND_ERR_ABORTED: 'the proxy refused',
  ENOSPC: 'the disk is full',
  EACCES: 'this folder may not be written to',
};

/** Says why the download failed, as part of a sentence. The innermost cause that it recognises wins. */
const reasonOf = (error: unknown): string => {
  let reason = String(error);
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    reason = at.message.split('\n')[0] ?? reason;
    const known = words[(at as NodeJS.ErrnoException).code ?? ''];
    if (known !== undefined) reason = known;
    const status = /Response code (\d+)/.exec(at.message)?.[1];
    if (status !== undefined) reason = `its server answered ${status}`;
    if (/checksum/i.test(at.message)) reason = 'what came is not what Electron published';
  }
  return reason;
};

/** Makes @electron/get use a proxy from the environment, unless the user has decided about it. */
const followProxy = (): void => {
  const { env } = process;
  const named = ['HTTPS_PROXY', 'HTTP_PROXY', 'https_proxy', 'http_proxy'].some(
    (name) => env[name],
  );
  if (named) env['ELECTRON_GET_USE_PROXY'] ??= 'true';
};

const fetchZip = async (): Promise<void> => {
  followProxy();
  const electron = createRequire(join(folder, 'package.json'));
  const { downloadArtifact } = (await import(
    pathToFileURL(electron.resolve('@electron/get')).href
  )) as Get;
  const { version } = electron('./package.json') as { version: string };
  const { env } = process;
  const remote =
    env['electron_use_remote_checksums'] ?? env['npm_config_electron_use_remote_checksums'];
  const silent = new AbortController();
  const { promise: silence, reject } = Promise.withResolvers<never>();
  const giveUp = () => {
    reject(new Error(`nothing came for ${Math.round(SILENCE_MS / 1000)} seconds`));
    silent.abort();
  };
  let timer = setTimeout(giveUp, SILENCE_MS);
  let told = 0;
  try {
    const download = downloadArtifact({
      version,
      artifactName: 'electron',
      platform: process.platform,
      arch: process.arch,
      cacheRoot: env['electron_config_cache'],
      checksums:
        remote === undefined ? (electron('./checksums.json') as Record<string, string>) : undefined,
      downloadOptions: {
        quiet: true,
        signal: silent.signal,
        getProgressCallback: ({ transferred, total }) => {
          clearTimeout(timer);
          timer = setTimeout(giveUp, SILENCE_MS);
          if (Date.now() - told < 250 && transferred !== total) return;
          told = Date.now();
          tell({ got: transferred, total });
        },
      },
    });
    await Promise.race([download, silence]);
  } finally {
    clearTimeout(timer);
  }
};

const note = join(folder, NOTE);
try {
  await fetchZip();
  const { status, output } = await runQuietly(process.execPath, [join(folder, 'install.js')]);
  if (status !== 0) throw new Error(output.trim().split('\n')[0]);
  rmSync(note, { force: true });
  tell({ done: true });
} catch (error) {
  const reason = reasonOf(error);
  writeFileSync(note, JSON.stringify({ at: Date.now(), reason }));
  tell({ failed: reason });
  process.exitCode = 1;
} finally {
  const mine = readFileSync(join(folder, PID), 'utf8') === String(process.pid);
  if (mine) rmSync(join(folder, PID), { force: true });
}
// An abandoned download may hold a connection open, so exit explicitly.
process.exit();
