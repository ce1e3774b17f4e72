/** The window's side of a phone: which files it accepts, what it reports to the phone for each, and what the dialog may say. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { HostMethod } from '../../../src/contract/host.ts';
import { type PhoneFile, type PhoneView, phoneView } from '../../../src/contract/phone/phone.ts';
import { fail, ok } from '../../../src/contract/problem.ts';
import type { IntakeRefusal } from '../../../src/renderer/photos/bring-in.ts';
import type { IntakeOutcome } from '../../../src/renderer/photos/intake.ts';
import {
  PhoneLink,
  type PhoneLinkParts,
} from '../../../src/renderer/screens/capture/photos/phone-link.svelte.ts';

const CODE = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';
const SIZE = 5 * 1024 * 1024;

const file = (name: string, state: PhoneFile['state'], size = SIZE): PhoneFile => ({
  name,
  size,
  received: size,
  state,
  why: null,
  sha256: state === 'checked' ? 'a'.repeat(64) : null,
});

/** A host with one code; `calls` records its calls. */
const hostWith = () => {
  const calls: [HostMethod, unknown][] = [];
  let view: PhoneView = {
    code: CODE,
    state: 'open',
    why: null,
    another: false,
    silent: false,
    files: [],
  };
  let changed = (): void => undefined;
  let listens = 0;
  const answers: Partial<Record<HostMethod, (input: never) => unknown>> = {
    'phone.networks': () => ok({ networks: [{ name: 'wlan0', address: '10.0.0.2' }] }),
    'phone.open': () => ok({ code: CODE, url: `http://10.0.0.2:5/#${'0'.repeat(64)}` }),
    'phone.get': () => ok(phoneView.parse(view)),
    'phone.close': () => ok({}),
    'phone.took': () => ok({}),
    'phone.read': ({ offset, length }: { offset: number; length: number }) =>
      ok({
        output: { size: SIZE },
        bytes: new Uint8Array(Math.min(length, SIZE - offset)).fill(7),
      }),
  };
  const host = {
    call: async (method: HostMethod, input: never) => {
      calls.push([method, input]);
      return answers[method]?.(input);
    },
    listen: (_kind: string, hear: () => void) => {
      changed = hear;
      listens += 1;
      return () => void (listens -= 1);
    },
  } as unknown as PhoneLinkParts['host'];
  return {
    host,
    answers,
    of: (method: HostMethod) => calls.filter(([name]) => name === method).map(([, input]) => input),
    listens: () => listens,
    become: (next: Partial<PhoneView>) => {
      view = { ...view, ...next };
      changed();
    },
  };
};

const refusedAs = (refusal: IntakeRefusal): IntakeOutcome => ({ ok: false, filename: '', refusal });

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('takes each file that came whole once, one after the other, and tells what became of it', async () => {
  const world = hostWith();
  const taken: { name: string; size: number; last: number | undefined }[] = [];
  const outcomes: (() => IntakeOutcome)[] = [
    () => ({ ok: true, filename: 'a', kept: {} as never }),
    () => refusedAs({ kind: 'duplicate' }),
    () => refusedAs({ kind: 'ask', reason: 'damaged', file: new Blob() }),
    () => refusedAs({ kind: 'problem', problem: { kind: 'no_space', detail: '' } }),
    () => {
      throw new Error('the form is gone');
    },
  ];
  const link = new PhoneLink({
    host: world.host,
    take: async (one) => {
      const bytes = new Uint8Array(await one.arrayBuffer());
      taken.push({ name: one.name, size: bytes.length, last: bytes.at(-1) });
      return [outcomes[taken.length - 1]?.() ?? refusedAs({ kind: 'cancelled' })];
    },
  });
  await link.begin();
  const names = ['a', 'b', 'c', 'd', 'e'];
  world.become({ state: 'joined', files: names.map((name) => file(name, 'checked')) });
  world.become({ files: [...names.map((name) => file(name, 'checked')), file('f', 'coming')] });
  await vi.waitFor(() => expect(world.of('phone.took')).toHaveLength(5), { timeout: 60_000 });
  expect(taken).toEqual(names.map((name) => ({ name, size: SIZE, last: 7 })));
  expect(world.of('phone.took')).toEqual(
    ['kept', 'there', 'asks', 'refused', 'refused'].map((state, at) => ({
      code: CODE,
      file: at,
      state,
    })),
  );
  expect(link.moving).toBe(true);
  await link.end();
  expect(world.of('phone.close')).toEqual([{ code: CODE }]);
  expect(world.listens()).toBe(0);
});

it('a file that cannot be read any more is taken by nobody, and the phone is not told that it is here', async () => {
  const world = hostWith();
  world.answers['phone.read'] = () => fail({ kind: 'bad_input', messages: [], fields: {} });
  const take = vi.fn();
  const link = new PhoneLink({ host: world.host, take });
  await link.begin();
  world.become({ state: 'joined', files: [file('a', 'checked')] });
  await vi.waitFor(() => expect(world.of('phone.read')).toHaveLength(1), { timeout: 60_000 });
  await link.end();
  expect(take).not.toHaveBeenCalled();
  expect(world.of('phone.took')).toEqual([]);
});

it('after twenty seconds without a phone it says what may be wrong, and no longer once one is there', async () => {
  const world = hostWith();
  const link = new PhoneLink({ host: world.host, take: async () => [] });
  await link.begin();
  await vi.advanceTimersByTimeAsync(19_000);
  expect(link.nothing).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(link.nothing).toBe(true);
  // A window that shows a code keeps polling, because otherwise the host ends it.
  expect(world.of('phone.get').length).toBeGreaterThan(3);
  world.become({ state: 'seen' });
  await vi.waitFor(() => expect(link.nothing).toBe(false), { timeout: 60_000 });
  await link.end();
  const asked = world.of('phone.get').length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(world.of('phone.get')).toHaveLength(asked);
});

it('the code of another window ends this one; a dialog that was closed too soon leaves none open', async () => {
  const world = hostWith();
  const link = new PhoneLink({ host: world.host, take: async () => [] });
  await link.begin();
  world.become({ code: OTHER, state: 'joined', files: [file('theirs', 'checked')] });
  await vi.waitFor(() => expect(link.view?.state).toBe('closed'), { timeout: 60_000 });
  expect(world.of('phone.read')).toEqual([]);
  await link.end();

  const slow = hostWith();
  const opened = Promise.withResolvers<unknown>();
  slow.answers['phone.open'] = () => opened.promise;
  const hasty = new PhoneLink({ host: slow.host, take: async () => [] });
  const begun = hasty.begin();
  await vi.waitFor(() => expect(slow.of('phone.open')).toHaveLength(1), { timeout: 60_000 });
  await hasty.end();
  opened.resolve(ok({ code: CODE, url: 'http://10.0.0.2:5/#' }));
  await begun;
  expect(slow.of('phone.close')).toEqual([{ code: CODE }]);
});

it('no network, and a system that lets nobody listen, are told apart', async () => {
  const world = hostWith();
  world.answers['phone.open'] = () => ok(null);
  const link = new PhoneLink({ host: world.host, take: async () => [] });
  await link.begin();
  expect({ failed: link.failed, networks: link.networks?.length }).toEqual({
    failed: true,
    networks: 1,
  });
  world.answers['phone.networks'] = () => ok({ networks: [] });
  await link.again();
  expect(link.networks).toEqual([]);
  await link.end();
});
