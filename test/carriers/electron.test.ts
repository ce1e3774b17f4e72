/**
 * Electron's security checklist, walked over src/main/window/security.ts and the carrier, without Electron: the values and
 * rules are what index.ts and window.ts plug in, and the last tests read that they do.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CALL_CHANNEL } from '../../src/contract/channels.ts';
import { contentSecurityPolicy } from '../../src/contract/window-policy.ts';
import {
  answerHeaders,
  fileOf,
  mayCall,
  mayNavigate,
  mayOpenOutside,
  ORIGIN,
  schemePrivileges,
  webPreferences,
} from '../../src/main/window/security.ts';
import { electronPair } from './pairs.ts';

describe("Electron's security checklist", () => {
  it('2-8, 12: sandbox and isolation on, node, web views and insecure content off', () => {
    expect(webPreferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      webSecurity: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
    });
    expect(Object.keys(webPreferences)).not.toContain('enableBlinkFeatures');
  });

  it('7: every answer carries the strict policy', () => {
    expect(answerHeaders('text/html')).toMatchObject({
      'content-security-policy': contentSecurityPolicy,
      'x-content-type-options': 'nosniff',
    });
    expect(schemePrivileges.bypassCSP).toBe(false);
  });

  it('13: the window stays on its own origin', () => {
    expect(mayNavigate(`${ORIGIN}/index.html#/waiting`)).toBe(true);
    for (const url of [
      'https://spotter/',
      'app://spotter.evil/',
      'app://evil/spotter',
      'app://user@spotter/',
      'app://spotter:1/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'about:blank',
      'data:text/html,x',
      '',
    ])
      expect(mayNavigate(url), url).toBe(false);
  });

  it('15: only what may be a link in the window is handed to the system', () => {
    for (const url of [
      'https://spotter.example/help?x=1',
      'http://a.example/',
      'mailto:lee@a.example',
      'tel:+15550100',
    ])
      expect(mayOpenOutside(url), url).toBe(true);
    for (const url of [
      'http://127.1:37301/',
      'https://[::1]/',
      'http://nas/',
      'file:///bin/sh',
      'smb://a/b',
      'ms-msdt:/x',
      'javascript:alert(1)',
      'https://user:pass@a.example/',
      'https:',
      'x',
    ])
      expect(mayOpenOutside(url), url).toBe(false);
  });

  it('17: only the main frame of the window may call, anything else fails closed', () => {
    expect(mayCall({ senderFrame: { url: `${ORIGIN}/index.html`, parent: null } })).toBe(true);
    for (const senderFrame of [
      null,
      undefined,
      {},
      { url: '', parent: null },
      { url: `${ORIGIN}/`, parent: { url: ORIGIN } },
      { url: `${ORIGIN}/` },
      { url: 'https://evil.example/', parent: null },
      { url: 'app://evil/', parent: null },
      { url: `${ORIGIN}.evil/`, parent: null },
      { url: 'about:srcdoc', parent: null },
    ])
      expect(mayCall({ senderFrame: senderFrame as never }), JSON.stringify(senderFrame)).toBe(
        false,
      );
  });

  it('A30: a call from a frame of the window is refused, noted, and not executed', async () => {
    const pair = await electronPair(() => ({ url: `${ORIGIN}/x`, parent: {} }));
    const { result } = await pair.carrier.call('reach.check', {});
    expect(result).toMatchObject({ ok: false, problem: { kind: 'bad_input' } });
    expect(pair.door.heard).toHaveLength(0);
    expect(pair.notes).toHaveLength(1);
    await pair.stop();
  });

  it('A30: whatever comes over the channel, the answer is a Result', async () => {
    const pair = await electronPair();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.anything(), { maxLength: 5 }), async (args) => {
        const cloned = await pair.renderer.invoke(CALL_CHANNEL, ...args).catch((error: unknown) => {
          // What cannot be cloned never leaves the window.
          expect(String(error)).toMatch(/could not be cloned/);
          return { result: { ok: false } };
        });
        expect(typeof (cloned as { result: { ok: unknown } }).result.ok).toBe('boolean');
      }),
      { numRuns: 300 },
    );
    await pair.stop();
  });
});

describe('18: app:// serves the window and nothing else', () => {
  let base: string;
  let root: string;
  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'spotter-app-'));
    root = join(base, 'renderer');
    await mkdir(join(root, 'assets'), { recursive: true });
    await writeFile(join(root, 'index.html'), 'window');
    await writeFile(join(root, 'assets/a.js'), 'script');
    await writeFile(join(root, 'assets/a.unknown'), 'x');
    await writeFile(join(base, 'secret.js'), 'secret');
    await symlink(join(base, 'secret.js'), join(root, 'assets/link.js'));
    await mkdir(join(base, 'renderer-evil'));
    await writeFile(join(base, 'renderer-evil/a.js'), 'secret');
  });
  afterAll(() => rm(base, { recursive: true, force: true }));

  it('its own files, with their types', async () => {
    expect(await fileOf(root, `${ORIGIN}/`)).toMatchObject({ type: 'text/html; charset=utf-8' });
    expect((await fileOf(root, `${ORIGIN}/assets/a.js`))?.type).toMatch(/^text\/javascript/);
  });

  it.each([
    '/../secret.js',
    '/..%2fsecret.js',
    '/%2e%2e/secret.js',
    '/assets/..%2f..%2fsecret.js',
    '/..%5csecret.js',
    '/..%2frenderer-evil%2fa.js',
    '/assets/link.js',
    '/assets/a.unknown',
    '/assets',
    '/none.js',
    '/index.html%00.js',
    '/%ff.js',
    '//etc/passwd',
    '/%2fetc%2fpasswd',
  ])('not %s', async (path) => {
    expect(await fileOf(root, `${ORIGIN}${path}`)).toBeNull();
  });

  it('not for another origin', async () => {
    for (const url of ['app://evil/index.html', 'https://spotter/index.html', 'index.html'])
      expect(await fileOf(root, url)).toBeNull();
  });
});

describe('the rules are plugged in', () => {
  const source = (name: string) =>
    readFile(new URL(`../../src/main/${name}`, import.meta.url), 'utf8');

  it('every window is made with these preferences, every door asks these rules', async () => {
    const text = await source('window/window.ts');
    expect(text.match(/new BrowserWindow\(/g)).toHaveLength(1);
    // Only these two are added to the preferences that the first test reads.
    expect(text).toMatch(
      /webPreferences: \{\s+\.\.\.webPreferences,\s+spellcheck: options\.spelling,\s+preload: options\.preload,\s+\}/,
    );
    for (const call of [
      'setWindowOpenHandler',
      "'will-navigate'",
      "'will-frame-navigate'",
      "'will-redirect'",
      "'will-attach-webview'",
    ])
      expect(text).toContain(call);
    expect(text).toContain("return { action: 'deny' }");
  });

  it('nothing else of the shell opens a window, loads a file or hands Electron to the window', async () => {
    const files = await readdir(new URL('../../src/main/', import.meta.url), { recursive: true });
    for (const name of files.filter(
      (one) => one.endsWith('.ts') && one !== join('window', 'window.ts'),
    )) {
      const text = await source(name);
      expect(text, name).not.toMatch(/new BrowserWindow\(|loadFile|file:\/\/|executeJavaScript/);
      expect(text.split('\n').length, name).toBeLessThanOrEqual(200);
    }
    const index = await source('index.ts');
    for (const call of [
      'app.enableSandbox()',
      'closeDoors()',
      'closePermissions(',
      'requestSingleInstanceLock()',
    ])
      expect(index).toContain(call);
    const preload = await source('../preload/index.ts');
    expect(preload.match(/exposeInMainWorld/g)).toHaveLength(1);
  });
});
