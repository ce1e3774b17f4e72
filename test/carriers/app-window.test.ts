/**
 * The browser shell's own window: a real Chromium (headless here) let in over its pipe. The launch's key must be in
 * no command line and no environment, for those any user of the machine can read.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AppWindow, openAppWindow } from '../../src/browser/app-window.ts';
import { startWindowServer, type WindowServer } from '../../src/browser/server.ts';
import { chromiumFlags, findChromium } from '../../src/setup/chromium.ts';
import { alive, descendants } from '../support/processes.ts';
import { type TestDoor, testDoor } from './door.ts';

const PAGE = `<!doctype html><title>w</title><script src="/w.js" defer></script>`;
const SCRIPT = `fetch('/host/reach.check', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });`;

describe.runIf(process.platform === 'linux')('the window of the browser shell', () => {
  let folder: string;
  let door: TestDoor;
  let server: WindowServer;
  let window: AppWindow;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spotter-app-window-'));
    await writeFile(join(folder, 'index.html'), PAGE);
    await writeFile(join(folder, 'w.js'), SCRIPT);
    door = testDoor();
    server = await startWindowServer({ host: door, files: folder, port: 0 });
    window = await openAppWindow({
      chromium: findChromium() ?? chromium.executablePath(),
      flags: [...chromiumFlags(), '--headless=new'],
      profile: join(folder, 'profile'),
      origin: server.origin,
      first: '/enter',
      key: server.key,
    });
  });
  afterEach(async () => {
    await window.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('Loopback server: it is let in, and the key is in no argv and no environment', async () => {
    await vi.waitFor(() => expect(door.heard).toHaveLength(1), { timeout: 20_000 });
    const seen = descendants(process.pid);
    expect(seen.map(({ pid }) => pid)).toContain(window.pid);
    expect(seen.length).toBeGreaterThan(3);
    for (const { command, environment, pid } of seen) {
      expect(command, String(pid)).not.toContain(server.key.value);
      expect(environment, String(pid)).not.toContain(server.key.value);
      expect(command).not.toMatch(/enter#/);
    }
  });

  it('the key is a session cookie: it is in no file of the profile after the end', async () => {
    await vi.waitFor(() => expect(door.heard).toHaveLength(1), { timeout: 20_000 });
    await window.close();
    const files = await readdir(join(folder, 'profile'), { recursive: true, withFileTypes: true });
    for (const file of files.filter((entry) => entry.isFile()))
      expect(
        (await readFile(join(file.parentPath, file.name))).includes(server.key.value),
        file.name,
      ).toBe(false);
  });

  it('no process of it is left when it is closed', async () => {
    await vi.waitFor(() => expect(door.heard).toHaveLength(1), { timeout: 20_000 });
    const pids = [window.pid, ...descendants(window.pid).map(({ pid }) => pid)];
    await window.close();
    await window.closed;
    await vi.waitFor(() => expect(alive(pids)).toEqual([]), { timeout: 10_000 });
  });
});
