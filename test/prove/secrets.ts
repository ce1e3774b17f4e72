/**
 * A token is in the keychain and in no file. A canary signs in to the built Electron shell (stand-in, real gnome-keyring), does
 * the main job, and meets a crashed page, a killed host and a server that refuses it. Then every file of the data folder
 * (queue, journal, database, log, crash note), the output, and the package are searched for it, in every encoding that a
 * program might write.
 */
import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bringShell } from '../../src/setup/shell.ts';
import { createApp } from '../e2e/app.ts';
import { connectToServer, drained, photoFile, report } from '../e2e/steps.ts';
import { filesBelow } from '../support/files.ts';
import { keyringMissing } from '../support/keyring.ts';
import { startKeyringSession } from '../support/keyring-session.ts';
import { unpackApp } from '../support/packed-app.ts';
import { startServer } from '../support/server.ts';
import { tempDir } from '../support/service.ts';
import type { Case, Outcome } from './run.ts';

const root = join(import.meta.dirname, '../..');
/** Text of the report: it must be found, or the search does not work. */
const WORDS = 'Canary report at the north stair';

/** LevelDB compresses its tables: a run of random letters stays intact unless four of them occurred shortly before. */
const PIECE = 16;

/** As text, as Chromium's 16-bit strings, as hex, and as base64 at each of its three alignments. */
const spellingsOf = (token: string): readonly Buffer[] => {
  const bytes = Buffer.from(token);
  const count = Math.max(1, token.length - PIECE + 1);
  const pieces = Array.from({ length: count }, (_, at) => token.slice(at, at + PIECE));
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    // The letters at both ends share bits with their neighbours.
    return text.replace(/=+$/, '').slice(before + 1, -2);
  });
  return [
    ...pieces.flatMap((text) => [Buffer.from(text), Buffer.from(text, 'utf16le')]),
    ...[bytes.toString('hex'), ...base64].map((text) => Buffer.from(text)),
  ];
};

const filesHolding = async (folder: string, token: string): Promise<string[]> => {
  const spellings = spellingsOf(token);
  const found: string[] = [];
  for (const path of await filesBelow(folder)) {
    const bytes = await readFile(path);
    if (spellings.some((one) => bytes.includes(one))) found.push(path);
  }
  return found;
};

/** Signs in, files a near miss, loses page and host, is refused. @returns the output */
const live = async (
  app: ReturnType<typeof createApp>['app'],
  server: Awaited<ReturnType<typeof startServer>>,
  env: Readonly<Record<string, string>>,
  folder: string,
): Promise<string> => {
  await connectToServer(await app.open({ env }), server, 'Harbour Bridge East');
  await report(app.window, { text: WORDS, photos: [await photoFile(folder, 1)] });
  await drained(app.window);
  await app.electron.crash();
  await app.kill();
  await server.stop();
  await app.open({ env });
  await report(app.window, { text: `${WORDS} again`, photos: [] });
  await server.start();
  await drained(app.window);
  await app.close();
  return app.output;
};

const run = async (): Promise<Outcome> => {
  const missing = keyringMissing();
  if (missing !== null) return { runs: 0, failures: [`there is no keyring here: ${missing}`] };
  if (!(await bringShell(root, console.error))) return { runs: 0, failures: ['out/ is not built'] };
  const [data, files, packed] = ['data', 'photos', 'package'].map((name) =>
    tempDir(`secrets-${name}`),
  );
  if (!data || !files || !packed) throw new Error('there are no folders');
  const keyring = await startKeyringSession();
  const server = await startServer([]);
  const { app, isOpen } = createApp('stand-in', data.path);
  try {
    const { token } = server.first;
    const printed = await live(app, server, keyring.env, files.path);
    const looked = await filesBelow(data.path);
    const failures = [
      ...(await filesHolding(data.path, token)).map((path) => `the token is in ${path}`),
      ...(spellingsOf(token).some((one) => Buffer.from(printed).includes(one))
        ? ['the token was printed']
        : []),
      ...((await filesHolding(data.path, WORDS)).length === 0 ? ['the looking finds nothing'] : []),
    ];
    if (process.platform === 'linux') {
      await unpackApp(packed.path);
      const inPackage = await filesHolding(packed.path, token);
      failures.push(...inPackage.map((path) => `the token is in the package: ${path}`));
    }
    return { runs: looked.length, failures, note: `${looked.length} files of the data folder` };
  } finally {
    if (isOpen()) await app.kill();
    await server.remove();
    await keyring.end();
    for (const { path } of [data, files, packed]) rmSync(path, { recursive: true, force: true });
  }
};

export const secrets: Case = { name: 'secrets', title: 'a token is in no file (canary)', run };
