/**
 * The host API: every input from a window is answered as data, logged if refused, and executed only if the contract allows it.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CHUNK_MAX, hostMethods, type HostMethod } from '../../src/contract/host.ts';
import { problemSchema } from '../../src/contract/problem.ts';
import { startWorld } from './fixtures/world.ts';

const methods = Object.keys(hostMethods) as HostMethod[];
/** A valid id for methods that would do harm if malformed input passed. No call here reaches the network. */
const id = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

it('failures A30 (property): malformed input to any method is a problem of the closed list, never an exception', async () => {
  const world = await startWorld();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...methods), fc.anything(), async (method, input) => {
      const { result } = await world.reply(method, input);
      const allowed = hostMethods[method].input.safeParse(input ?? {}).success;
      if (!allowed) expect(result).toMatchObject({ ok: false, problem: { kind: 'bad_input' } });
      if (!result.ok) expect(problemSchema.safeParse(result.problem).success).toBe(true);
    }),
    { numRuns: 500 },
  );
  expect(world.log.some(({ message }) => message === 'a bug, caught at the door')).toBe(false);
});

it('failures A30: unknown methods, cyclic and huge inputs, bytes where none belong and too many are refused and logged', async () => {
  const world = await startWorld();
  const refused = async (method: string, input: unknown, bytes?: Uint8Array<ArrayBuffer>) => {
    const before = world.log.length;
    const { result } = await world.door.call(method, input, bytes);
    expect(result).toMatchObject({ ok: false, problem: { kind: 'bad_input' } });
    expect(world.log.slice(before)).toMatchObject([
      { level: 'warn', message: 'refused a call of the window' },
    ]);
  };
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  for (const name of ['nope', 'toString', '__proto__', 'constructor', '']) await refused(name, {});
  await refused('session.get', cyclic);
  await refused('session.get', { big: 10n });
  await refused('settings.set', { theme: 'x'.repeat(33 * 1024 * 1024) });
  await refused('session.get', {}, new Uint8Array(1));
  await refused('photos.write', { photo_id: id, offset: 0 });
  await refused('photos.write', { photo_id: id, offset: 0 }, new Uint8Array(CHUNK_MAX + 1));
  await refused('photos.read', { photo_id: '../../../etc/passwd', offset: 0, length: 10 });
  await refused('photos.begin', { photo_id: '..', filename: 'a', size: 1 });
  expect(JSON.stringify(world.log)).not.toContain('passwd');
});

it('before anything is connected, REST answers `not_connected` and the rest works', async () => {
  const world = await startWorld({ default_server: 'https://safety.example.com' });
  expect(await world.call('app.info', {})).toMatchObject({
    shell: 'test',
    default_server: 'https://safety.example.com',
    embedded: false,
    local_company: false,
  });
  expect(await world.call('session.get', {})).toMatchObject({ state: 'none', account: null });
  const request = { endpoint: 'me.show', input: { params: {} } };
  expect(await world.problem('rest.request', request)).toEqual({ kind: 'not_connected' });
  expect(await world.problem('reach.check', {})).toEqual({ kind: 'not_connected' });
  expect(await world.problem('photos.upload', { photo_id: id, company_id: 1 })).toMatchObject({
    kind: 'photo_damaged',
    reason: 'missing',
  });
});

it('settings are kept over a restart and told to every window', async () => {
  const world = await startWorld();
  await Promise.all([
    world.call('settings.set', { theme: 'dark' }),
    world.call('settings.set', { last_incident: { '5': 7 } }),
  ]);
  expect(world.events.filter(({ kind }) => kind === 'settings.changed')).toHaveLength(2);
  await world.door.stop();
  const again = await startWorld({ data_dir: world.folder });
  expect(await again.call('settings.get', {})).toEqual({
    theme: 'dark',
    language: 'system',
    last_incident: { '5': 7 },
    photo_places: {},
    form_fields: {},
    photo_privacy: true,
    photo_size: 'original',
    photo_sending: 'always',
    photo_keep_days: 7,
    photo_read_back: false,
    name_people: false,
    global_shortcut: false,
    global_keys: null,
    start_with_system: false,
    when_closed: 'ask',
    notices: true,
    spelling: false,
    hardware_graphics: true,
    law_country: null,
    tour_seen: false,
  });
});
