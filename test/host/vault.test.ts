/** The token's place on real keyrings, through the whole host: what state it is in, no freeze, and no token on disk. */
import { expect, it, onTestFinished } from 'vitest';
import { ulid } from 'ulid';
import { systemClock } from '../../src/host/clock.ts';
import { forkVaultChild } from '../../src/host/vault/keytar-fork.ts';
import { keytarVault, type VaultChild } from '../../src/host/vault/keytar.ts';
import type { KeytarAnswer, KeytarCall } from '../../src/host/vault/keytar-child.ts';
import { memoryVault } from '../../src/host/vault/memory.ts';
import { keyringMissing, type KeyringState } from '../support/keyring.ts';
import { startTestService } from '../support/service.ts';
import { temporaryFolder } from './fixtures/folder.ts';
import { filesWith } from '../support/files.ts';
import { spawnHost } from './fixtures/spawn-host.ts';

const missing = keyringMissing();
const onKeyring = it.skipIf(missing !== null);
const named = (title: string): string => (missing ? `${title} [skipped: ${missing}]` : title);
const FREEZE_MS = 6_000;
/** The keychain is asked beside the start. */
const patience = { timeout: 10_000, interval: 50 };

/** A folder with a host that was connected to a server beside an unlocked keyring, and ended in order. */
const connectedOnce = async () => {
  const service = await startTestService();
  onTestFinished(() => service.stop());
  const { demo } = service;
  const folder = await temporaryFolder();
  const home = await temporaryFolder();
  const connect = {
    kind: 'server' as const,
    address: service.url,
    company_id: demo.company_id,
    project_id: demo.project_id,
    token: demo.token,
  };
  const host = await spawnHost(folder, { keyring: { state: 'unlocked', home } });
  const session = await host.call('session.connect', connect);
  await host.end();
  expect(session).toMatchObject({ state: 'ready', vault: { kind: 'keychain', state: 'ok' } });
  return { demo, folder, home, connect };
};

const noTokenOnDisk = async (token: string, ...folders: string[]) => {
  for (const folder of folders) expect(await filesWith(folder, token)).toEqual([]);
};

onKeyring(
  named(
    'failures A15: unlocked: the token survives a restart in the keychain, and is on no disk in the clear',
  ),
  async () => {
    const { demo, folder, home } = await connectedOnce();
    const host = await spawnHost(folder, { keyring: { state: 'unlocked', home } });
    await expect
      .poll(() => host.call('session.get', {}), patience)
      .toMatchObject({
        state: 'ready',
        vault: { kind: 'keychain', state: 'ok' },
      });
    expect(await host.call('reach.check', {})).toHaveProperty('server_time');
    await host.call('session.sign_out', {});
    await host.end();
    await noTokenOnDisk(demo.token, folder, home);
    const again = await spawnHost(folder, { keyring: { state: 'unlocked', home } });
    await expect
      .poll(() => again.call('session.get', {}), patience)
      .toMatchObject({ state: 'signed_out' });
    await again.end();
  },
);

const states: [KeyringState, string][] = [
  ['locked', 'locked'],
  ['wrong_password', 'locked'],
  ['hung', 'hung'],
  ['absent', 'absent'],
  ['no_bus', 'absent'],
];
it.skipIf(missing !== null).each(states)(
  named(
    'failures A15: keyring %s: the host starts within 6 s, capture works, the queue grows, the session waits as `locked` (%s)',
  ),
  async (state, expected) => {
    const { demo, folder, home, connect } = await connectedOnce();
    const start = performance.now();
    const host = await spawnHost(folder, { keyring: { state, home } });
    const session = await host.call('session.get', {});
    expect(performance.now() - start).toBeLessThan(FREEZE_MS);
    expect(session.state).toBe('locked');
    await expect
      .poll(() => host.call('session.get', {}), patience)
      .toMatchObject({ state: 'locked', vault: { kind: 'memory', state: expected } });
    const entry = {
      id: ulid(),
      seq: 1,
      account: session.account ?? '',
      kind: 'near_miss.create',
      version: 1,
      lane: 'a',
      created_at: 1,
      payload: {},
    };
    const asked = performance.now();
    const unlocking = host.reply('session.unlock', {});
    await host.call('journal.append', { entries: [entry] });
    expect(performance.now() - asked).toBeLessThan(1_000); // the keychain's silence stops nothing else
    await unlocking;
    expect(performance.now() - asked).toBeLessThan(2 * FREEZE_MS); // behind the try of the start
    const result = await host.reply('reach.check', {});
    expect(result).toEqual({ ok: false, problem: { kind: 'vault', state: expected } });
    // Signing in again works for this run, and says that it is for this run only.
    const again = await host.call('session.connect', connect);
    expect(again).toMatchObject({ state: 'ready', vault: { kind: 'memory', state: expected } });
    await host.end();
    await noTokenOnDisk(demo.token, folder, home);
    const later = await spawnHost(folder, { keyring: { state: 'unlocked', home } });
    await expect
      .poll(() => later.call('session.get', {}), patience)
      .toMatchObject({ state: 'ready' });
    expect((await later.call('journal.list', {})).entries).toEqual([entry]);
    await later.end();
  },
  60_000,
);

onKeyring(
  named(
    'failures A15: signed out while the keyring was locked: the token is erased once it can be',
  ),
  async () => {
    const { folder, home } = await connectedOnce();
    const locked = await spawnHost(folder, { keyring: { state: 'locked', home } });
    expect(await locked.call('session.sign_out', {})).toMatchObject({ state: 'signed_out' });
    await locked.end();
    expect(await filesWith(folder, 'removing":true')).toHaveLength(1);
    const host = await spawnHost(folder, { keyring: { state: 'unlocked', home } });
    expect(await host.call('session.unlock', {})).toMatchObject({ state: 'signed_out' });
    await host.end();
    expect(await filesWith(folder, 'removing":true')).toEqual([]);
  },
);

it('failures A15: more than 1,200 bytes are refused by both kinds of vault', async () => {
  const folder = await temporaryFolder();
  const keychain = keytarVault({
    marker_path: `${folder}/vault.json`,
    clock: systemClock,
    spawn: forkVaultChild,
  });
  for (const vault of [memoryVault(), keychain]) {
    expect(await vault.set('a', 'ä'.repeat(601))).toBe('too_long');
    await vault.stop();
  }
});

it('failures A15: a child that hangs is killed and made anew; one call is in flight at a time', async () => {
  const folder = await temporaryFolder();
  let made = 0;
  let killed = 0;
  let inFlight = 0;
  let most = 0;
  /** A child of our own: the first never answers, the second does, late. */
  const spawn = (): VaultChild => {
    made += 1;
    const hangs = made === 1;
    let hear: (answer: KeytarAnswer) => void = () => undefined;
    return {
      send: (call: KeytarCall) => {
        inFlight += 1;
        most = Math.max(most, inFlight);
        if (hangs) return;
        setTimeout(() => {
          inFlight -= 1;
          hear({ id: call.id, outcome: 'done', token: 'kept' });
        }, 5);
      },
      onAnswer: (listener) => (hear = listener),
      onExit: () => undefined,
      kill: () => {
        killed += 1;
        inFlight -= 1;
      },
    };
  };
  const vault = keytarVault({
    marker_path: `${folder}/vault.json`,
    clock: systemClock,
    spawn,
    deadline_ms: 50,
  });
  const reads = await Promise.all([vault.get('a'), vault.get('a'), vault.get('a')]);
  expect(reads).toEqual([
    { state: 'hung' },
    { state: 'ok', token: 'kept' },
    { state: 'ok', token: 'kept' },
  ]);
  expect({ made, killed, most }).toEqual({ made: 2, killed: 1, most: 1 });
});
