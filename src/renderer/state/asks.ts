/**
 * What was asked of the window from outside it (the menu, the tray, the system's keys, a link, the system waking up): taken as soon as the
 * window can do it, and at every sign that there is more.
 */
import { tick } from 'svelte';
import type { WindowAsk, WindowReport } from '../../contract/asks.ts';
import { host } from '../host/client.ts';
import { navigate } from '../router.ts';
import { words } from '../words/words.ts';
import { app } from './app.svelte.ts';
import { takeOpened } from './dropped.svelte.ts';
import { paper } from './paper.svelte.ts';
import { showInList } from './show-in-list.ts';
import { shell } from './shell.svelte.ts';
import { toasts } from './toasts.svelte.ts';

const paths = {
  near_misses: '/near-misses',
  new: '/new',
  waiting: '/waiting',
  settings: '/settings',
  connect: '/connect',
} as const;

const show = async (place: Extract<WindowAsk, { ask: 'show' }>['place']): Promise<void> => {
  if (place === 'everything' || place === 'about')
    await navigate('/settings/:section', { params: { section: place } });
  else if (place === 'due') showInList({ follow_up: 'due', from: null });
  else await navigate(paths[place]);
};

/** The search in the header, else the one above the list, where the window is narrow. */
const find = async (): Promise<void> => {
  const shown = (): HTMLInputElement | undefined =>
    [...document.querySelectorAll<HTMLInputElement>('input[data-find]')].find((one) =>
      one.checkVisibility({ visibilityProperty: true }),
    );
  if (shown() === undefined) {
    await navigate('/near-misses');
    await tick();
  }
  shown()?.focus();
  shown()?.select();
};

const follow = async (ask: WindowAsk): Promise<void> => {
  if (ask.ask === 'show') return show(ask.place);
  if (ask.ask === 'near_miss') {
    await navigate('/near-misses/:key', { params: { key: ask.key } });
    return;
  }
  if (ask.ask === 'import') return takeOpened(ask);
  if (ask.what === 'find') return find();
  if (ask.what === 'keys') shell.help = true;
  else if (ask.what === 'print') paper.printScreen('printer');
  else if (ask.what === 'pdf') paper.printScreen('pdf');
  else if (ask.what === 'pdf_over') paper.over();
  else if (ask.what === 'try_now') app.tryNow();
  else if (ask.what === 'came_back') toasts.keep(words.app.came_back);
  else void import('./self-test.ts').then(({ selfTest }) => selfTest(host, app));
};

const take = async (): Promise<void> => {
  const taken = await host.call('asks.take', {});
  if (!taken.ok) return;
  for (const ask of taken.value.asks) await follow(ask);
};

/** From now on, until the answered function is called. */
export const followAsks = (): (() => void) => {
  void take();
  return host.listen('asked', () => void take());
};

/** Tells the shell what the queue holds: it counts in the tray, asks before it closes, and puts no newer version in meanwhile. */
export const reportQueue = (report: WindowReport): void => void host.call('window.report', report);
