/**
 * Behaviour of the real system only: a Windows program that holds each new file briefly, folder permissions there, and the
 * keychains of Windows and macOS. Skipped by name elsewhere; Wine has neither access lists nor PowerShell.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { ulid } from 'ulid';
import { expect, it, onTestFinished } from 'vitest';
import { openPrivateFolder, sidIn } from '../../src/disk/private-folder.ts';
import { systemClock } from '../../src/host/lib/clock.ts';
import { forkVaultChild } from '../../src/host/vault/keytar-fork.ts';
import { keytarVault } from '../../src/host/vault/keytar.ts';
import { makeJpeg } from '../support/jpeg.ts';
import { temporaryFolder, until } from './fixtures/folder.ts';
import { startWorld } from './fixtures/world.ts';

const run = promisify(execFile);
const realWindows = process.platform === 'win32' && process.env['WINEPREFIX'] === undefined;
/** It writes into the current user's keychain, so it runs only on workflow machines. */
const realKeychain =
  process.env['CI'] !== undefined && (realWindows || process.platform === 'darwin');
const onWindows = it.skipIf(!realWindows);
const here = (can: boolean, what: string, needs: string): string =>
  can ? what : `${what} [skipped: needs ${needs}]`;

/** Holds every new file for 0.3 s like a virus scanner: others may read it, but not write, move or remove it. */
const SCANNER = `
$seen = @{}
'ready'
while ($true) {
  Get-ChildItem -LiteralPath $env:SCANNED -Recurse -File -ErrorAction SilentlyContinue | ForEach-Object {
    if (-not $seen.ContainsKey($_.FullName)) {
      try {
        $file = [IO.File]::Open($_.FullName, 'Open', 'Read', 'Read')
        $seen[$_.FullName] = $true
        Start-Sleep -Milliseconds 300
        $file.Close()
        $_.FullName
      } catch { }
    }
  }
  Start-Sleep -Milliseconds 10
}`;

const startScanner = async (folder: string): Promise<{ readonly held: readonly string[] }> => {
  const env = { ...process.env, SCANNED: folder };
  const scanner = spawn('powershell.exe', ['-NoProfile', '-Command', SCANNER], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void scanner.kill());
  const held: string[] = [];
  const lines = createInterface({ input: scanner.stdout });
  await once(lines, 'line');
  lines.on('line', (path) => held.push(path));
  return { held };
};

onWindows(
  here(realWindows, 'a scanner holds each new file for a moment: no photo is lost', 'Windows'),
  async () => {
    const world = await startWorld();
    const { held } = await startScanner(world.folder);
    const hashes = new Set<string>();
    for (let n = 0; n < 20; n += 1) {
      const jpeg = await makeJpeg({ seed: n, bytes: 60_000 });
      hashes.add((await world.spool(ulid(), `IMG_${n}.jpg`, jpeg)).sha256);
      await world.call('settings.set', { theme: n % 2 === 0 ? 'dark' : 'light' });
    }
    expect(new Set(await readdir(join(world.folder, 'photos/originals')))).toEqual(hashes);
    await until(() => held.length > 0, 'the scanner held a file');
    expect(world.log.filter(({ message }) => message.includes('caught at the door'))).toEqual([]);
  },
);

onWindows(
  here(
    realWindows,
    'who may read a folder that is made: its user, the system, administrators',
    'Windows',
  ),
  async () => {
    const folder = join(await temporaryFolder(), 'made');
    expect(await openPrivateFolder(folder, { ours: ['journal'], before: [] })).toBeNull();
    const { stdout: me } = await run('whoami', ['/user', '/fo', 'csv', '/nh']);
    const access = await run('powershell.exe', [
      '-NoProfile',
      '-Command',
      `(Get-Acl -LiteralPath '${folder.replaceAll("'", "''")}').Access | ForEach-Object { $_.IdentityReference.Translate([Security.Principal.SecurityIdentifier]).Value }`,
    ]);
    const named = new Set(access.stdout.trim().split(/\r?\n/));
    expect(named).toEqual(new Set([sidIn(me), 'S-1-5-18', 'S-1-5-32-544']));
  },
);

it.skipIf(!realKeychain)(
  here(
    realKeychain,
    'failures A15: the keychain of this system keeps 1,200 bytes, gives them back and forgets them',
    'Windows or macOS, and CI, because it writes into the user’s own',
  ),
  async () => {
    const folder = await temporaryFolder();
    const vault = keytarVault({
      marker_path: join(folder, 'vault.json'),
      clock: systemClock,
      spawn: forkVaultChild,
    });
    onTestFinished(() => vault.stop());
    const account = `test-${ulid()}`;
    const token = 'ä'.repeat(600);
    expect(await vault.set(account, token)).toBe('ok');
    expect(await vault.get(account)).toEqual({ state: 'ok', token });
    expect(await vault.remove(account)).toBe('ok');
    expect(await vault.get(account)).toEqual({ state: 'empty' });
  },
);
