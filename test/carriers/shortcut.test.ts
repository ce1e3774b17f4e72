/** The system's keys for a new near miss follow the setting of a real host. What Electron does with them is not run here. */
import { afterEach, expect, it } from 'vitest';
import { keepShortcut, proposedKeys } from '../../src/main/system/shortcut.ts';
import { startWorld } from '../host/fixtures/world.ts';

const [CAPTURE_KEYS = '', SECOND = ''] = proposedKeys('linux');

let end: () => void = () => undefined;
afterEach(() => end());

const keysOf = (free = true) => {
  const held = new Map<string, () => void>();
  return {
    held,
    register: (keys: string, pressed: () => void) => {
      if (free) held.set(keys, pressed);
      return free;
    },
    unregister: (keys: string) => void held.delete(keys),
  };
};

it('the keys are held while the setting says so, from the start and after every change, and given back at the end', async () => {
  const world = await startWorld();
  await world.call('settings.set', { global_shortcut: true });
  const keys = keysOf();
  let asked = 0;
  end = keepShortcut(
    world.door,
    keys,
    () => (asked += 1),
    () => undefined,
    'linux',
  );
  await expect.poll(() => [...keys.held.keys()]).toEqual([CAPTURE_KEYS]);
  keys.held.get(CAPTURE_KEYS)?.();
  expect(asked).toBe(1);
  await world.call('settings.set', { global_shortcut: false });
  await expect.poll(() => keys.held.size).toBe(0);
  await world.call('settings.set', { theme: 'dark' });
  expect(keys.held.size).toBe(0);
  await world.call('settings.set', { global_shortcut: true });
  await expect.poll(() => keys.held.size).toBe(1);
  end();
  expect(keys.held.size).toBe(0);
  await world.call('settings.set', { theme: 'light' });
  expect(keys.held.size).toBe(0);
});

it('keys of another program stay with it; the window is told which are free; these are held once chosen', async () => {
  const world = await startWorld();
  await world.call('settings.set', { global_shortcut: true });
  const keys = keysOf();
  const taken = {
    ...keys,
    register: (asked: string, pressed: () => void) =>
      asked !== CAPTURE_KEYS && keys.register(asked, pressed),
  };
  const told: unknown[] = [];
  end = keepShortcut(
    world.door,
    taken,
    () => undefined,
    (state) => told.push(state),
    'linux',
  );
  const free = proposedKeys('linux').filter((one) => one !== CAPTURE_KEYS);
  await expect.poll(() => told).toEqual([{ state: 'refused', chosen: CAPTURE_KEYS, free }]);
  expect(keys.held.size).toBe(0);
  await world.call('settings.set', { global_keys: SECOND });
  await expect.poll(() => told.at(-1)).toEqual({ state: 'held', chosen: SECOND, free: [] });
  expect([...keys.held.keys()]).toEqual([SECOND]);
});
