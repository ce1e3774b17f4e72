/**
 * Runs `--self-test FILE`: the real window, host and service on a temporary data folder, with the window's network closed.
 * self-test.ts judges each check. At the end the run stops everything, writes and shows the report, and exits with its status.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { app, clipboard, type Session } from 'electron';
import type { SelfTestReport } from '../../contract/self-test.ts';
import { systemClock } from '../../host/lib/clock.ts';
import type { Host } from '../../host/index.ts';
import { keytarVault } from '../../host/vault/keytar.ts';
import { spawnVaultChild } from '../children.ts';
import {
  collectAnswers,
  databasePlaceAnswer,
  keychainAnswer,
  networkAnswer,
  reportOf,
  serviceAnswer,
  statusOf,
  stopAnswer,
  tableOf,
} from './self-test.ts';

/** Time limit for all checks, in milliseconds. The slowest is a keychain that prompts its user. */
const ALL_MS = 300_000;
/** Longer than STOP_MS, the time limit of the check. A slower stop is reported, not waited for. */
const END_MS = 15_000;

type Collected = ReturnType<typeof collectAnswers>;

/** Creates a temporary data folder, so that no self-test touches user data. */
export const selfTestFolder = (): string => mkdtempSync(join(tmpdir(), 'spotter-self-test-'));

const versions = (): SelfTestReport['versions'] => ({
  spotter: app.getVersion(),
  electron: process.versions['electron'] ?? 'unknown',
  chromium: process.versions['chrome'] ?? 'unknown',
  node: process.versions.node,
  platform: process.platform,
  arch: process.arch,
  system: release(),
  packaged: app.isPackaged,
});

const writeReport = async (file: string, collected: Collected, why: string): Promise<0 | 1> => {
  const report = reportOf(versions(), systemClock.now(), collected.checks(why));
  // Writing to a pipe is asynchronous on Windows, so an early exit would lose the table.
  await new Promise((resolve) => process.stdout.write(`${tableOf(report)}\n`, resolve));
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  return statusOf(report);
};

/** Reports a run that failed before its host started. */
export const reportNoStart = async (file: string, detail: string): Promise<void> => {
  const collected = collectAnswers();
  collected.add('start', { result: 'fail', sentence: detail.slice(0, 1000) });
  app.exit(await writeReport(file, collected, 'Spotter did not start.'));
};

/** Blocks the window's network requests to other machines. Returns the list of origins it requested. */
const closeNetwork = (session: Session): readonly string[] => {
  const asked: string[] = [];
  const urls = ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*'];
  session.webRequest.onBeforeRequest({ urls }, ({ url }, answer) => {
    asked.push(new URL(url).origin);
    answer({ cancel: true });
  });
  return asked;
};

const tryKeychain = async (folder: string) => {
  const vault = keytarVault({
    marker_path: join(folder, 'self-test-vault.json'),
    clock: systemClock,
    spawn: spawnVaultChild,
  });
  const account = `self-test ${randomUUID()}`;
  const wrote = await vault.set(account, randomUUID());
  const read = wrote === 'ok' ? await vault.get(account) : null;
  const removed = wrote === 'ok' ? await vault.remove(account) : null;
  await vault.stop();
  return keychainAnswer(wrote, read, removed, process.platform);
};

/**
 * Connects to the service on this laptop, which starts it. The window follows the session, then receives the request to test.
 */
const tryService = async (host: Host, collected: Collected): Promise<boolean> => {
  const before = performance.now();
  const { result } = await host.call('session.connect', { kind: 'this_laptop' });
  const ms = Math.round(performance.now() - before);
  collected.add('service', serviceAnswer(result, ms));
  host.ask({ ask: 'do', what: 'self_test' });
  return result.ok;
};

const answersAt = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

const tryStop = async (host: Host, service: string | null) => {
  const before = performance.now();
  const late = new Promise((resolve) => setTimeout(resolve, END_MS));
  await Promise.race([host.stop().catch(() => undefined), late]);
  const ms = Math.round(performance.now() - before);
  return stopAnswer(ms, service !== null && !(await answersAt(service)));
};

/** Saves the clipboard's text; the returned function restores it. An unreadable clipboard is left alone. */
const keepClipboard = async (): Promise<() => Promise<void>> => {
  const had = await clipboard.readText().catch(() => '');
  return async () => {
    if (had !== '') await clipboard.writeText(had).catch(() => undefined);
  };
};

const namesIn = (folder: string): string[] | null => {
  try {
    return readdirSync(folder);
  } catch {
    return null;
  }
};

/** Ignores failures, because Chromium may still hold files open. The leftovers lie in the system's temporary folder. */
const removeQuietly = (folder: string): void => {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  } catch {}
};

export interface SelfTestParts {
  readonly host: Host;
  readonly file: string;
  readonly data_dir: string;
  readonly session: Session;
}

/** Must start before the window opens, to see its first network requests. */
export const beginSelfTest = (parts: SelfTestParts): void => {
  const { host, file, data_dir } = parts;
  const collected = collectAnswers();
  collected.add('start', { result: 'pass', sentence: 'Spotter started.' });
  const asked = closeNetwork(parts.session);
  const windowIsDone = Promise.withResolvers<void>();
  const cutShort = Promise.withResolvers<string>();
  let service: string | null = null;
  host.listen((event) => {
    if (event.kind === 'service.state' && event.running) service = event.detail;
    if (event.kind !== 'self_test.reported') return;
    const { name, ...answer } = event.answer;
    collected.add(name, answer);
    if (collected.windowIsDone()) windowIsDone.resolve();
  });
  // Closed by the user or the system: unfinished checks have failed.
  app.on('will-quit', (event) => {
    event.preventDefault();
    cutShort.resolve('Spotter was closed before this was done.');
  });
  setTimeout(() => cutShort.resolve(`Not done within ${ALL_MS / 1000} s.`), ALL_MS);
  const checks = async (): Promise<string> => {
    const keychain = tryKeychain(data_dir).then((answer) => collected.add('keychain', answer));
    if (await tryService(host, collected)) await windowIsDone.promise;
    await keychain;
    return 'Not done: it needs the service on this laptop.';
  };
  const all = async (): Promise<void> => {
    const putBack = await keepClipboard();
    const why = await Promise.race([checks(), cutShort.promise]);
    await putBack();
    const store = join(data_dir, 'electron/IndexedDB');
    collected.add('database_place', databasePlaceAnswer(store, namesIn(store)));
    collected.add('network', networkAnswer(asked));
    collected.add('stop', await tryStop(host, service));
    const status = await writeReport(file, collected, why);
    removeQuietly(data_dir);
    app.exit(status);
  };
  all().catch((error: unknown) => {
    console.error(String(error));
    app.exit(1);
  });
};
