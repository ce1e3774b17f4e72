/** A toast floats over the screen while it covers nothing that can be pressed, and takes space under it otherwise. */
import { mount, unmount } from 'svelte';
import { afterEach, expect, it } from 'vitest';
import '../../../src/renderer/app.css';
import Toasts from '../../../src/renderer/parts/Toasts.svelte';
import { found } from '../../support/found.ts';

let running: ReturnType<typeof mount> | undefined;
/** What the toasts said about being held. */
let held: boolean[] = [];
afterEach(async () => {
  if (running) await unmount(running);
  running = undefined;
  held = [];
  document.body.replaceChildren();
});

/** A screen of 400 px with a button at this distance from its top. */
const show = (top: number): { readonly screen: HTMLElement; readonly button: HTMLElement } => {
  const place = document.createElement('div');
  place.style.cssText =
    'position: relative; display: flex; flex-direction: column; height: 400px; width: 600px';
  const screen = document.createElement('div');
  screen.style.cssText = 'flex: 1; min-height: 0; overflow: auto; position: relative';
  const button = document.createElement('button');
  button.textContent = 'Print';
  button.style.cssText = `position: absolute; left: 30px; top: ${top}px`;
  screen.append(button);
  place.append(screen);
  document.body.append(place);
  running = mount(Toasts, {
    target: place,
    props: {
      toasts: [{ id: 1, tone: 'ok', text: 'Saved on this laptop.' }],
      label: 'Notices',
      close: 'Close',
      dismiss: () => undefined,
      hold: (now: boolean) => void held.push(now),
    },
  });
  return { screen, button };
};
const toast = (): DOMRect => {
  const box = document.querySelector('.toast')?.getBoundingClientRect();
  if (box === undefined) throw new Error('no toast');
  return box;
};
const covers = (button: HTMLElement): boolean => {
  const [{ top, bottom }, over] = [button.getBoundingClientRect(), toast()];
  return top < over.bottom && bottom > over.top;
};

it('floats at the bottom left where nothing is pressed', async () => {
  const { screen, button } = show(20);
  await expect.poll(() => document.querySelector('.floats')).not.toBeNull();
  expect(screen.getBoundingClientRect().height).toBe(400);
  expect(toast().left).toBeLessThan(40);
  expect(toast().bottom).toBeGreaterThan(370);
  expect(covers(button)).toBe(false);
});

it('takes space under the screen rather than cover a button', async () => {
  const { screen, button } = show(340);
  await expect.poll(() => document.querySelector('.floats')).toBeNull();
  expect(screen.getBoundingClientRect().height).toBeLessThan(350);
  screen.scrollTop = screen.scrollHeight;
  expect(covers(button)).toBe(false);
});

it('makes room when the screen scrolls a button below it', async () => {
  const { screen, button } = show(700);
  await expect.poll(() => document.querySelector('.floats')).not.toBeNull();
  screen.scrollTop = 360;
  await expect.poll(() => document.querySelector('.floats')).toBeNull();
  expect(toast().top).toBeGreaterThanOrEqual(screen.getBoundingClientRect().bottom);
  expect(button.isConnected).toBe(true);
});

it('lets go of the timeout when it goes with its screen, under the pointer', async () => {
  show(20);
  (await found(() => document.querySelector('.toast'))).dispatchEvent(
    new PointerEvent('pointerenter'),
  );
  expect(held).toEqual([true]);
  if (running) await unmount(running);
  running = undefined;
  expect(held).toEqual([true, false]);
});
