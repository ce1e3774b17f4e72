/**
 * Executes requests from outside the window (menu, tray, shortcuts, a link, the system waking up). Takes them when the window
 * starts and whenever the host signals more.
 */
import { tick } from 'svelte';
import type { WindowAsk, WindowReport } from '../../contract/asks.ts';
import { host } from '../host/client.ts';
import { navigate } from '../router.ts';
import { words } from '../words/words.ts';
import { app } from './app.svelte.ts';
import { takeOpened } from './photos/dropped.svelte.ts';
import { paper } from './paper.svelte.ts';
import { showInList } from './near-misses/show-in-list.ts';
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

/** Focuses the search field: the one in the header, or in a narrow window the one above the list. */
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
  if (ask.what === 'keys') await navigate('/help/:tab', { params: { tab: 'keys' } });
  else if (ask.what === 'print') paper.printScreen('printer');
  else if (ask.what === 'pdf') paper.printScreen('pdf');
  else if (ask.what === 'pdf_over') paper.over();
  else if (ask.what === 'try_now') app.tryNow();
  else if (ask.what === 'came_back') toasts.keep(words.app.came_back);
  else void import('./self-test/self-test.ts').then(({ selfTest }) => selfTest(host, app));
};

const take = async (): Promise<void> => {
  const taken = await host.call('asks.take', {});
  if (!taken.ok) return;
  for (const ask of taken.value.asks) await follow(ask);
};

/** Starts handling requests. Returns a function that stops it. */
export const followAsks = (): (() => void) => {
  void take();
  return host.listen('asked', () => void take());
};

/** Reports the queue to the shell, which shows a count in the tray, confirms closing, and delays updates. */
export const reportQueue = (report: WindowReport): void => void host.call('window.report', report);
