/**
 * Company policies (host/policy.ts): the real file on Linux, and the output of the system tools for registry and plist. An
 * invalid value is dropped alone and reported.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NO_POLICY } from '../../src/contract/policy.ts';
import {
  parseRegistry,
  POLICY_PLACES,
  policyOf,
  readPolicy,
  refuseOtherServer,
} from '../../src/host/policy.ts';
import { temporaryFolder } from './fixtures/folder.ts';
import { startWorld } from './fixtures/world.ts';

/** Output of `reg query`: an empty line, the key's name, its values, subkeys. */
const REGISTRY = [
  '',
  'HKEY_LOCAL_MACHINE\\Software\\Policies\\Spotter',
  '    Server    REG_SZ    https://safety.firm.example/base/',
  '    Updates    REG_DWORD    0x0',
  '    StartWithSystem    REG_DWORD    0x1',
  '    SystemNetwork    REG_DWORD    0x1',
  '',
  'HKEY_LOCAL_MACHINE\\Software\\Policies\\Spotter\\Other',
  '',
].join('\r\n');
/** Output of `plutil -convert json -o -` for a managed plist. */
const PLIST =
  '{"Server":"https:\\/\\/safety.firm.example\\/base\\/","StartWithSystem":true,"SystemNetwork":true,"Updates":false}';
const DECIDED = {
  server: 'https://safety.firm.example/base',
  updates: false,
  start_with_system: true,
  system_network: true,
  ignored: [],
};

const fileWith = async (text: string): Promise<string> => {
  const path = join(await temporaryFolder(), 'policy.json');
  await writeFile(path, text);
  return path;
};

describe('three places, one policy', () => {
  it('Windows: what reg query prints', () => {
    expect(parseRegistry(REGISTRY)).toEqual({
      Server: 'https://safety.firm.example/base/',
      Updates: 0,
      StartWithSystem: 1,
      SystemNetwork: 1,
    });
    expect(policyOf(REGISTRY, 'win32', POLICY_PLACES.win32)).toEqual(DECIDED);
  });

  it('macOS: what plutil prints', () => {
    expect(policyOf(PLIST, 'darwin', POLICY_PLACES.darwin)).toEqual(DECIDED);
  });

  it('Linux: a file, read as it lies there; without one nothing is decided', async () => {
    const path = await fileWith(
      '{"Server": "safety.firm.example/base", "Updates": false, "StartWithSystem": true, "SystemNetwork": true}',
    );
    expect(await readPolicy('linux', path)).toEqual(DECIDED);
    expect(await readPolicy('linux', `${path}.none`)).toEqual(NO_POLICY);
    expect(await readPolicy('linux', join(path, '..'))).toMatchObject({
      ignored: [join(path, '..')],
    });
  });
});

describe('a bad policy', () => {
  it('A57: is named and left out value by value; the others count', async () => {
    const path = await fileWith(
      JSON.stringify({
        Server: 'ftp://x',
        Updates: 'no',
        StartWithSystem: 1,
        startwithsystem: true,
        constructor: 1,
      }),
    );
    const policy = await readPolicy('linux', path);
    expect(policy).toMatchObject({ server: null, updates: null, start_with_system: true });
    expect([...policy.ignored].sort()).toEqual([
      'Server',
      'Updates',
      'constructor',
      'startwithsystem',
    ]);
  });

  it.each(['', '{', '[]', 'null', '"x"'])(
    '%j is no policy at all, and its place is named',
    async (text) => {
      const path = await fileWith(text);
      expect(await readPolicy('linux', path)).toEqual({ ...NO_POLICY, ignored: [path] });
    },
  );

  it('is told to the window, and in the log', async () => {
    const policy = await readPolicy('linux', await fileWith('{"Server": 4, "Updates": false}'));
    const { call, log } = await startWorld({ policy });
    expect(await call('app.info', {})).toMatchObject({
      policy: { server: null, updates: false, ignored: ['Server'] },
    });
    expect(log.filter(({ level }) => level === 'warn')).toMatchObject([
      { message: expect.stringContaining('Server') as string },
    ]);
  });
});

it('wins over the user: one server, and starting with the system; the own choice comes back when the policy ends', async () => {
  const data_dir = await temporaryFolder();
  const policy = { ...NO_POLICY, server: 'https://safety.firm.example', start_with_system: true };
  const first = await startWorld({ data_dir, policy, default_server: 'https://else.example' });
  expect(await first.call('app.info', {})).toMatchObject({ default_server: policy.server });
  expect(await first.call('settings.get', {})).toMatchObject({ start_with_system: true });
  expect(
    await first.call('settings.set', { start_with_system: false, theme: 'dark' }),
  ).toMatchObject({ start_with_system: true, theme: 'dark' });
  const other = { address: 'https://else.example', company_id: 1, token: 'token' };
  for (const method of ['session.try', 'session.connect'] as const)
    expect(
      await first.problem(method, { ...other, kind: 'server', project_id: 1 } as never),
    ).toMatchObject({ kind: 'bad_input', fault: 'address_policy' });
  await first.door.stop();
  const second = await startWorld({ data_dir });
  expect(await second.call('settings.get', {})).toMatchObject({
    start_with_system: false,
    theme: 'dark',
  });
});

it('the server in use stays reachable, because what waits for it goes nowhere else', () => {
  const policy = { ...NO_POLICY, server: 'https://safety.firm.example' };
  expect(refuseOtherServer(policy, 'SAFETY.firm.example/', null)).toBeNull();
  expect(refuseOtherServer(policy, 'https://old.example', 'https://old.example')).toBeNull();
  expect(refuseOtherServer(policy, 'https://old.example', null)).not.toBeNull();
  expect(refuseOtherServer(NO_POLICY, 'https://old.example', null)).toBeNull();
});
