/** The token's storage on real keyrings, through the whole host: the reported state, no freeze, and no token on disk. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ulid } from 'ulid';
import { systemClock } from '../../src/host/lib/clock.ts';
import { forkVaultChild } from '../../src/host/vault/keytar-fork.ts';
import { keytarVault, type VaultChild } from '../../src/host/vault/keytar.ts';
import type { KeytarAnswer, KeytarCall } from '../../src/host/vault/keytar-child.ts';
import { memoryVault } from '../../src/host/vault/memory.ts';
import { besideKeyring, keyringMissing, type KeyringState } from '../support/keyring.ts';
import { startTestService, tempDir, type TestService } from '../support/service.ts';
import { temporaryFolder } from './fixtures/folder.ts';
import { filesWith } from '../support/files.ts';
import { spawnHost } from './fixtures/spawn-host.ts';
import { startWorld } from './fixtures/world.ts';
import { PATIENCE_MS } from '../support/patience.ts';

const missing = keyringMissing();
const onKeyring = it.skipIf(missing !== null);
const named = (title: string): string => (missing ? `${title} [skipped: ${missing}]` : title);
/** Well below the two minutes that a system prompt may take, with room for a busy machine, ms. */
const NO_FREEZE_MS = 20_000;
/** The keychain is read concurrently with the start. */
const patience = { timeout: PATIENCE_MS, interval: 50 };

/** No test changes the service's data. */
let service: TestService;
const origin = tempDir('connected-once');
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  await service.stop();
  origin.remove();
});

const connectTo = ({ url, demo: { company_id, project_id, token } }: TestService) => ({
  kind: 'server' as const,
  address: url,
  company_id,
  project_id,
  token,
});

/**
 * A host's folder and its keyring's home, after the host connected to a server with an unlocked keyring and stopped cleanly.
 */
const makeConnected = async () => {
  const folder = join(origin.path, 'host');
  const home = join(origin.path, 'home');
  const host = await spawnHost(folder, { keyring: { state: 'unlocked', home } });
  const session = await host.call('session.connect', connectTo(service));
  await host.end();
  expect(session).toMatchObject({ state: 'ready', vault: { kind: 'keychain', state: 'ok' } });
  return { folder, home };
};
let connected: ReturnType<typeof makeConnected> | undefined;

/** Copies of both for one test to modify. */
const connectedOnce = async () => {
  const from = await (connected ??= makeConnected());
  const [folder, home] = [await temporaryFolder(), await temporaryFolder()];
  await cp(from.folder, folder, { recursive: true });
  await cp(from.home, home, { recursive: true });
  return { demo: service.demo, folder, home, connect: connectTo(service) };
};

/** The same without a real keyring: a folder that says that a token is stored. */
const connectedInMemory = async () => {
  const connect = connectTo(service);
  const world = await startWorld();
  const { account } = await world.call('session.connect', connect);
  await world.door.stop();
  const note = { [account ?? '']: { stored_at: 1, storing: false, removing: false } };
  await writeFile(`${world.folder}/vault.json`, JSON.stringify(note));
  return { connect, folder: world.folder };
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
  ['hung', 'asking'],
  ['absent', 'absent'],
  ['no_bus', 'absent'],
];
it.skipIf(missing !== null).each(states)(
  named(
    'failures A15: keyring %s: the host starts, capture works, the queue grows, the session waits as `locked` (%s)',
  ),
  async (state, expected) => {
    const { demo, folder, home, connect } = await connectedOnce();
    const start = performance.now();
    const host = await spawnHost(folder, { keyring: { state, home } });
    const session = await host.call('session.get', {});
    expect(performance.now() - start).toBeLessThan(NO_FREEZE_MS);
    expect(session.state).toBe('locked');
    await expect
      .poll(() => host.call('session.get', {}), patience)
      .toMatchObject({ state: 'locked', vault: { kind: 'memory', state: expected } });
    const operation = {
      id: ulid(),
      seq: 1,
      account: session.account ?? '',
      kind: 'near_miss.create',
      version: 1,
      lane: 'a',
      created_at: 1,
      payload: {},
    };
    const unlocking = host.reply('session.unlock', {});
    let unlocked = false;
    void unlocking.then(() => (unlocked = true));
    await host.call('journal.append', { operations: [operation] });
    // A silent keychain blocks nothing else.
    if (state === 'hung') expect(unlocked).toBe(false);
    const asked = performance.now();
    await unlocking;
    expect(performance.now() - asked).toBeLessThan(NO_FREEZE_MS);
    const result = await host.reply('reach.check', {});
    expect(result).toEqual({ ok: false, problem: { kind: 'vault', state: expected } });
    // Signing in again works for this run, and the session says that it is for this run only.
    const again = await host.call('session.connect', connect);
    expect(again).toMatchObject({ state: 'ready', vault: { kind: 'memory', state: expected } });
    await host.end();
    await noTokenOnDisk(demo.token, folder, home);
    const later = await spawnHost(folder, { keyring: { state: 'unlocked', home } });
    await expect
      .poll(() => later.call('session.get', {}), patience)
      .toMatchObject({ state: 'ready' });
    expect((await later.call('journal.list', {})).operations).toEqual([operation]);
    await later.end();
  },
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

/** Accounts with a token in this keyring. */
const heldIn = async (home: string): Promise<string[]> => {
  const keytar = import.meta.resolve('keytar');
  const program = `const { default: keytar } = await import(${JSON.stringify(keytar)});
    console.log(JSON.stringify((await keytar.findCredentials('spotter')).map((one) => one.account)));`;
  const command = [process.execPath, '--input-type=module', '-e', program];
  const { file, args, env } = besideKeyring('unlocked', home, command);
  const { stdout } = await promisify(execFile)(file, args, { env });
  return JSON.parse(stdout) as string[];
};

it.skipIf(missing !== null).each(['stored', 'before-removal', 'removed'])(
  named('failures A9: killed as another user signs in (%s): one of both works, the other is gone'),
  async (die) => {
    const { folder, home, connect } = await connectedOnce();
    const { company_id, project_id, token } = service.other;
    const host = await spawnHost(folder, { keyring: { state: 'unlocked', home }, die });
    await expect
      .poll(() => host.call('session.get', {}), patience)
      .toMatchObject({
        state: 'ready',
      });
    void host.reply('session.connect', { ...connect, company_id, project_id, token });
    await host.exited;
    const again = await spawnHost(folder, { keyring: { state: 'unlocked', home } });
    await expect
      .poll(() => again.call('session.get', {}), patience)
      .toMatchObject({
        state: 'ready',
        vault: { state: 'ok' },
      });
    expect(await again.call('reach.check', {})).toHaveProperty('server_time');
    const { account } = await again.call('session.get', {});
    const noted = async (): Promise<string[]> =>
      Object.keys(JSON.parse(await readFile(join(folder, 'vault.json'), 'utf8')));
    await expect.poll(noted, patience).toEqual([account]);
    await again.end();
    expect(await heldIn(home)).toEqual([account]);
  },
);

it('failures A16: a session that cannot be written changes nothing: the one before goes on, the new token goes', async () => {
  const vault = memoryVault();
  const world = await startWorld({ vault });
  const before = await world.call('session.connect', connectTo(service));
  const path = join(world.folder, 'session.json');
  const was = await readFile(path);
  await rm(path);
  await mkdir(path);
  const { company_id, project_id, token } = service.other;
  const input = { ...connectTo(service), company_id, project_id, token };
  await world.problem('session.connect', input);
  expect(await world.call('session.get', {})).toEqual(before);
  expect(await world.call('reach.check', {})).toHaveProperty('server_time');
  expect(await vault.accounts()).toEqual([before.account]);
  await rm(path, { recursive: true });
  await writeFile(path, was);
});

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
  /** A fake child: the first never answers, the second answers late. */
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

it('failures A15: a system that asks its user is waited for and asked once; whoever signs in meanwhile is not kept', async () => {
  const { connect, folder } = await connectedInMemory();
  const asked: KeytarCall[] = [];
  let answer: (answer: KeytarAnswer) => void = () => undefined;
  const vault = keytarVault({
    marker_path: `${folder}/vault.json`,
    clock: systemClock,
    spawn: () => ({
      send: (call) => void asked.push(call),
      onAnswer: (listener) => (answer = listener),
      onExit: () => undefined,
      kill: () => undefined,
    }),
  });
  const last = (): KeytarCall => {
    const call = asked.at(-1);
    if (call === undefined) throw new Error('nothing was asked');
    return call;
  };
  const world = await startWorld({ data_dir: folder, vault });
  const asking = { state: 'locked', vault: { kind: 'memory', state: 'asking' } };
  expect(await world.call('session.get', {})).toMatchObject(asking);
  expect(await world.problem('reach.check', {})).toEqual({ kind: 'vault', state: 'asking' });
  const tries = await Promise.all([
    world.call('session.unlock', {}),
    world.call('session.unlock', {}),
  ]);
  for (const view of tries) expect(view).toMatchObject(asking);
  expect(asked.map(({ op }) => op)).toEqual(['get']);
  // The sign-in lasts for this run until the keychain answers.
  const signedIn = await world.call('session.connect', connect);
  expect(signedIn).toMatchObject({ state: 'ready', vault: { kind: 'memory', state: 'asking' } });
  expect(asked.map(({ op }) => op)).toEqual(['get']);
  answer({ id: last().id, outcome: 'done', token: 'an older token' });
  await expect.poll(() => asked.map(({ op }) => op), patience).toEqual(['get', 'set']);
  answer({ id: last().id, outcome: 'done', token: null });
  await expect.poll(() => asked.map(({ op }) => op), patience).toEqual(['get', 'set', 'get']);
  answer({ id: last().id, outcome: 'done', token: connect.token });
  await expect
    .poll(() => world.call('session.get', {}), patience)
    .toMatchObject({ state: 'ready', vault: { kind: 'keychain', state: 'ok' } });
  expect(await world.call('reach.check', {})).toHaveProperty('server_time');
});

it('failures A15: forgotten while the system still asks, the token is noted to be erased before any answer', async () => {
  const folder = await temporaryFolder();
  const marker_path = `${folder}/vault.json`;
  await writeFile(
    marker_path,
    JSON.stringify({ a: { stored_at: 1, storing: false, removing: false } }),
  );
  const vault = keytarVault({
    marker_path,
    clock: systemClock,
    spawn: () => ({
      send: () => undefined,
      onAnswer: () => undefined,
      onExit: () => undefined,
      kill: () => undefined,
    }),
  });
  const read = vault.get('a');
  const removed = vault.remove('a');
  await expect.poll(() => vault.holds('a'), patience).toBe(false);
  await vault.stop();
  // Calls that were still queued start no other child.
  expect(await Promise.all([read, removed])).toEqual([{ state: 'absent' }, 'absent']);
  expect(JSON.parse(await readFile(marker_path, 'utf8'))).toMatchObject({ a: { removing: true } });
});
