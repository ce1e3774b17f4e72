/**
 * Updates with the real electron-updater on a feed on loopback: what is newer is found, fetched, told, and put in at the end of the program
 * or when the queue is empty; an older version, a wrong checksum and a download that is cut change nothing. Electron's network is Node's here.
 */
import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request, type RequestOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import updaters from 'electron-updater';
import executors from 'electron-updater/out/electronHttpExecutor.js';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { UpdateView } from '../../src/contract/desktop.ts';
import {
  isForAll,
  isSignedByTeam,
  keepUpdates,
  type UpdaterSide,
  updateWay,
  whenToPutIn,
} from '../../src/main/update/updates.ts';
import { temporaryFolder } from '../host/fixtures/folder.ts';
import { PATIENCE_MS } from '../support/patience.ts';

const patience = { timeout: PATIENCE_MS, interval: 50 };

it('who puts a newer version in: nobody without a feed, the system’s packages, or the program itself', () => {
  const on = (platform: NodeJS.Platform, feed: boolean, appimage?: string) =>
    updateWay({ feed, platform, appimage, for_all: false, signed: true });
  expect(on('win32', false)).toBe('off');
  expect(on('win32', true)).toBe('self');
  expect(on('darwin', true)).toBe('self');
  expect(on('linux', true)).toBe('announce');
  expect(on('linux', true, '/opt/Spotter.AppImage')).toBe('self');
});

it('a program for macOS that no team signed is told only: macOS would fetch each version and then refuse it', () => {
  const about = (team: string) =>
    `Executable=/Applications/Spotter.app/Contents/MacOS/Spotter\nIdentifier=app.spotter.desktop\nFormat=app bundle with Mach-O universal (x86_64 arm64)\nCodeDirectory v=20400 size=510 flags=0x2(adhoc) hashes=5+7 location=embedded\nSignature=adhoc\nInfo.plist entries=33\nTeamIdentifier=${team}\nSealed Resources version=2 rules=13 files=12\n`;
  const way = (said: string) =>
    updateWay({
      feed: true,
      platform: 'darwin',
      appimage: undefined,
      for_all: false,
      signed: isSignedByTeam(said),
    });
  expect(way(about('not set'))).toBe('announce');
  expect(way('/Applications/Spotter.app: code object is not signed at all\n')).toBe('announce');
  expect(way(about('AB12CD34EF'))).toBe('self');
});

it('what an administrator put into Program Files is told only: its installer would ask for an administrator at each end', () => {
  const env = {
    ProgramFiles: 'C:\\Program Files',
    'ProgramFiles(x86)': 'C:\\Program Files (x86)',
    LOCALAPPDATA: 'C:\\Users\\ana\\AppData\\Local',
  };
  const way = (path: string) =>
    updateWay({
      feed: true,
      platform: 'win32',
      appimage: undefined,
      for_all: isForAll(path, env),
      signed: false,
    });
  expect(way('c:\\program files\\Spotter\\Spotter.exe')).toBe('announce');
  expect(way('C:\\Program Files (x86)\\Spotter\\Spotter.exe')).toBe('announce');
  expect(way(`${env.LOCALAPPDATA}\\Programs\\Spotter\\Spotter.exe`)).toBe('self');
  expect(way('C:\\Program Files of Ana\\Spotter.exe')).toBe('self');
  expect(isForAll('/opt/Spotter/spotter', {})).toBe(false);
});

it('put in now, in a moment while something typed is being written, or later while something waits or is sent', () => {
  const idle = { waiting: 0, sending: 0, unwritten: false, copying: false };
  expect(whenToPutIn(idle)).toBe('now');
  expect(whenToPutIn({ ...idle, unwritten: true, copying: false })).toBe('soon');
  expect(whenToPutIn({ ...idle, waiting: 1, unwritten: true, copying: false })).toBe('later');
  expect(whenToPutIn({ ...idle, sending: 1 })).toBe('later');
});

it('pressed while something typed is not on the disk: put in once it is, never by itself after something else waits', async () => {
  const updater = Object.assign(new EventEmitter(), {
    autoDownload: false,
    autoInstallOnAppQuit: false,
    allowDowngrade: false,
    allowPrerelease: false,
    checkForUpdates: async () => null,
    quitAndInstall: vi.fn<() => void>(),
  });
  let busy = { waiting: 0, sending: 0, unwritten: true, copying: false };
  let atEnd = (): void => undefined;
  const updates = keepUpdates(updater, {
    way: 'self',
    report: () => undefined,
    busy: () => busy,
    put_in: (install) => (atEnd = install),
    now: () => 0,
    log: () => undefined,
  });
  onTestFinished(updates.end);
  updater.emit('update-downloaded', { version: '9.0.0' });
  updates.ask('put_in_update');
  updates.reported();
  expect(updater.quitAndInstall).not.toHaveBeenCalled();
  busy = { waiting: 1, sending: 0, unwritten: false, copying: false };
  updates.reported();
  busy = { waiting: 0, sending: 0, unwritten: false, copying: false };
  updates.reported();
  expect(updater.quitAndInstall).not.toHaveBeenCalled();
  busy = { waiting: 0, sending: 0, unwritten: true, copying: false };
  updates.ask('put_in_update');
  busy = { waiting: 0, sending: 0, unwritten: false, copying: false };
  updates.reported();
  // The installer would meet a program that still runs.
  expect(updater.quitAndInstall).not.toHaveBeenCalled();
  atEnd();
  expect(updater.quitAndInstall).toHaveBeenCalledExactlyOnceWith(true, true);
});

class NodeExecutor extends executors.ElectronHttpExecutor {
  override createRequest(options: RequestOptions, callback: (answer: never) => void) {
    return request(options, callback as never) as never;
  }
}

/** Put in, it is started once, and ends. */
const NEW = Buffer.from(`#!/bin/sh\nexit 0\n${'# the newer program\n'.repeat(5_000)}`);

interface FeedPlan {
  readonly version: string;
  readonly checksum?: string;
  /** Ends the connection in the middle of the file. */
  readonly cut?: boolean;
}

const serveFeed = async ({ version, checksum, cut }: FeedPlan) => {
  const sha512 = checksum ?? createHash('sha512').update(NEW).digest('base64');
  const yml = [
    `version: ${version}`,
    `files:\n  - url: Spotter.AppImage\n    sha512: ${sha512}\n    size: ${NEW.length}`,
    `path: Spotter.AppImage\nsha512: ${sha512}\nreleaseDate: '2026-01-01T00:00:00.000Z'\n`,
  ].join('\n');
  const asked: string[] = [];
  const server = createServer(({ url = '' }, answer) => {
    const path = new URL(url, 'http://feed').pathname;
    asked.push(path);
    if (path.endsWith('.yml')) return answer.end(yml);
    if (!path.endsWith('.AppImage')) return answer.writeHead(404).end();
    answer.writeHead(200, { 'content-length': NEW.length });
    if (!cut) return answer.end(NEW);
    answer.write(NEW.subarray(0, 1_000), () => answer.destroy());
    return undefined;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked };
};

/** A program of version 0.1.0 that looks at the feed. */
const program = async (plan: FeedPlan, way: 'self' | 'announce' = 'self') => {
  const feed = await serveFeed(plan);
  const folder = await temporaryFolder();
  const installed = join(folder, 'Spotter.AppImage');
  writeFileSync(installed, 'the program of now');
  vi.stubEnv('APPIMAGE', installed);
  let atQuit: (code: number) => void = () => undefined;
  let quits = 0;
  const updater = new updaters.AppImageUpdater(null, {
    version: '0.1.0',
    name: 'spotter',
    isPackaged: true,
    appUpdateConfigPath: join(folder, 'app-update.yml'),
    userDataPath: folder,
    baseCachePath: join(folder, 'cache'),
    whenReady: async () => undefined,
    relaunch: () => undefined,
    quit: () => (quits += 1),
    onQuit: (handler: (code: number) => void) => (atQuit = handler),
  } as never);
  writeFileSync(
    join(folder, 'app-update.yml'),
    `provider: generic\nurl: ${feed.url}\nupdaterCacheDirName: spotter-updater\n`,
  );
  Object.assign(updater, { httpExecutor: new NodeExecutor(), logger: null });
  updater.setFeedURL({ provider: 'generic', url: feed.url });
  updater.disableDifferentialDownload = true;
  const told: UpdateView[] = [];
  const busy = { waiting: 1, sending: 0, unwritten: false, copying: false };
  const updates = keepUpdates(updater as UpdaterSide, {
    way,
    report: (view) => told.push(view),
    busy: () => busy,
    put_in: (install) => install(),
    now: () => 5,
    log: () => undefined,
  });
  onTestFinished(updates.end);
  return {
    feed,
    folder,
    updater,
    updates,
    told,
    busy,
    last: () => told.at(-1),
    states: () => told.map(({ state }) => state),
    installed: () =>
      readFileSync(installed).equals(NEW) ? 'the newer' : readFileSync(installed, 'utf8'),
    end: () => atQuit(0),
    quits: () => quits,
  };
};

afterEach(() => void vi.unstubAllEnvs());
beforeEach(() => void vi.stubEnv('NO_PROXY', '127.0.0.1'));

describe.skipIf(process.platform !== 'linux')('a feed on loopback', () => {
  it('found, fetched, and put in at the end of the program', async () => {
    const one = await program({ version: '0.2.0' });
    await expect
      .poll(one.last, patience)
      .toEqual({ state: 'ready', version: '0.2.0', looked_at: 5 });
    expect(one.states()).toEqual(['looking', 'fetching', 'ready']);
    expect(one.installed()).toBe('the program of now');
    one.end();
    expect(one.installed()).toBe('the newer');
  });

  it('asked for while something waits it is not put in; once the queue is empty it is', async () => {
    const one = await program({ version: '0.2.0' });
    const putIn = vi.spyOn(one.updater, 'quitAndInstall').mockImplementation(() => undefined);
    await expect.poll(() => one.last()?.state, patience).toBe('ready');
    one.updates.ask('put_in_update');
    expect(putIn).not.toHaveBeenCalled();
    one.busy.waiting = 0;
    one.updates.ask('put_in_update');
    expect(putIn).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['the same version', { version: '0.1.0' }, 'idle'],
    ['an older version', { version: '0.0.9' }, 'idle'],
    ['a version that is none', { version: 'newest' }, 'failed'],
    ['a wrong checksum', { version: '0.2.0', checksum: 'AAAA' }, 'failed'],
    ['a download that is cut', { version: '0.2.0', cut: true }, 'failed'],
  ] as const)('%s changes nothing', async (_name, plan, state) => {
    const one = await program(plan);
    await expect.poll(() => one.last()?.state, patience).toBe(state);
    expect(one.states()).not.toContain('ready');
    one.end();
    expect(one.installed()).toBe('the program of now');
    if (state === 'idle')
      expect(one.feed.asked.some((path) => path.endsWith('.AppImage'))).toBe(false);
    // A person may look again.
    one.updates.ask('look_for_update');
    await expect
      .poll(() => one.states().filter((each) => each === 'looking').length, patience)
      .toBe(2);
    await expect.poll(() => one.last()?.state, patience).toBe(state);
  });

  it('where the system’s packages bring it, it is told and nothing is fetched', async () => {
    const one = await program({ version: '0.2.0' }, 'announce');
    await expect.poll(one.last, patience).toMatchObject({ state: 'announced', version: '0.2.0' });
    one.end();
    expect(one.installed()).toBe('the program of now');
    expect(one.feed.asked.some((path) => path.endsWith('.AppImage'))).toBe(false);
    expect(readdirSync(one.folder)).not.toContain('cache');
  });
});
