/**
 * Mounts the whole window in the page of a component test, over the scripted host. Frame, router, database and engine are real.
 * One window at a time; each test starts with an empty database, as after a fresh installation.
 */
import { copying } from '../../src/renderer/state/copying.svelte.ts';
import { mount, unmount } from 'svelte';
import { onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { HostInput } from '../../src/contract/host.ts';
import { settingsSchema, type Settings } from '../../src/contract/settings.ts';
import { createDb } from '../../src/renderer/data/db/db.ts';
import { indexOf } from '../../src/renderer/data/index/near-miss-index.ts';
import { languageOf, speak } from '../../src/renderer/words/words.ts';
import { PATIENCE_MS } from './patience.ts';
import { ScriptedHost } from './renderer-host.ts';

let current = new ScriptedHost();

// `host/client.ts` picks its carrier at the first call. This carrier forwards every call to the host of the current test.
Object.defineProperty(window, 'spotter', {
  configurable: true,
  value: {
    call: (...call: Parameters<ReturnType<ScriptedHost['carrier']>['call']>) =>
      current.carrier().call(...call),
    listen: (...given: Parameters<ReturnType<ScriptedHost['carrier']>['listen']>) =>
      current.carrier().listen(...given),
  },
});

export interface AppOptions {
  readonly host?: ScriptedHost;
  readonly settings?: Partial<Settings>;
  /** Route of the screen: `/near-misses`. */
  readonly at?: string;
  /** Width and height of the window in CSS pixels. */
  readonly size?: readonly [number, number];
}

/** Scripts the host's own methods, as after a fresh start in the browser shell. */
const scriptShell = (host: ScriptedHost, settings: Settings): void => {
  let kept = settings;
  const scripted: Readonly<Record<string, (input: Record<string, unknown>) => unknown>> = {
    'app.info': () => ({ version: '0.1.0', shell: 'test', platform: 'linux', node: '24' }),
    'app.disk': () => ({ free: null }),
    'asks.take': () => ({ asks: [] }),
    'box.get': () => ({ state: 'none', address: null, url: null, networks: [], waiting: 0 }),
    'copies.list': () => ({ copies: [] }),
    'desktop.get': () => ({ desktop: null }),
    'phone.close': () => ({}),
    'phone.networks': () => ({ networks: [] }),
    'photos.usage': () => ({ photos: 0, bytes: 0, freed: { photos: 0, bytes: 0 } }),
    'settings.get': () => kept,
    'settings.set': (input) => {
      kept = { ...kept, ...(input as HostInput<'settings.set'>) };
      queueMicrotask(() => host.emit({ kind: 'settings.changed', settings: kept }));
      return kept;
    },
    'window.report': () => ({}),
  };
  for (const [name, answer] of Object.entries(scripted))
    if (!host.answers.has(name)) host.answers.set(name, answer);
};

/**
 * Waits until the window makes no more calls and a refresh that was answered has stored what it got: the place that it followed to,
 * stored after the next test began, would make that test's window take an empty database for a whole one. And a database that is
 * closed during a read rejects, and nothing handles that rejection.
 */
const settled = async (host: ScriptedHost): Promise<void> => {
  const { app } = await import('../../src/renderer/state/app.svelte.ts');
  let asked = -1;
  let quiet = 0;
  const stillAsks = () => {
    const stores = app.refreshing && host.waiting === 0;
    quiet = host.calls.length === asked && !stores ? quiet + 1 : 0;
    asked = host.calls.length;
    if (quiet < 10) throw new Error('the window still asks its host');
  };
  await vi.waitFor(stillAsks, { interval: 20, timeout: PATIENCE_MS });
};

/** Closes the open window and keeps its database, as a quit does. */
let close: (() => Promise<void>) | null = null;

const show = async (host: ScriptedHost, at: string): Promise<void> => {
  location.hash = `#${at}`;
  const { default: App } = await import('../../src/renderer/App.svelte');
  const { app } = await import('../../src/renderer/state/app.svelte.ts');
  const { binChoices, listChoices } =
    await import('../../src/renderer/state/near-misses/list-choices.svelte.ts');
  const { shell } = await import('../../src/renderer/state/shell.svelte.ts');
  const { slip } = await import('../../src/renderer/state/near-misses/slip.svelte.ts');
  const { toasts } = await import('../../src/renderer/state/toasts.svelte.ts');
  const target = document.body.appendChild(document.createElement('div'));
  target.id = 'app';
  const mounted = mount(App, { target });
  close = async () => {
    close = null;
    const { opened } = app;
    // Leaving a form saves its draft.
    location.hash = '#/near-misses';
    await settled(host);
    // Stopped but not closed: a read that a destroyed screen still runs would reject unhandled.
    if (opened !== null) opened.db.close = () => undefined;
    await unmount(mounted);
    target.remove();
    await opened?.stop();
    await settled(host);
    app.reset();
    copying.reset();
    for (const { id } of toasts.list) toasts.dismiss(id);
    // A reload ends the index with its worker; an index of another database does the same here.
    indexOf({ name: 'no window' }, { account: '', project_id: 0 });
    // The next window reads list filters from storage, so reset the ones in memory.
    for (const one of [listChoices, binChoices]) one.open('', 0);
    shell.finder = false;
    slip.key = null;
  };
};

/** Deletes what a window keeps: its database and both storages. */
const forget = async (): Promise<void> => {
  const db = createDb();
  await db.transaction('rw', db.tables, () => Promise.all(db.tables.map((table) => table.clear())));
  db.close();
  localStorage.clear();
  sessionStorage.clear();
};

/**
 * Opens the window and returns its host. A second call in one test is a restart: database, storages and settings are as the
 * last window left them. When the test ends the window is closed and its database emptied.
 */
export const openApp = async ({
  host = new ScriptedHost(),
  settings = {},
  at = '/near-misses',
  size = [1366, 768],
}: AppOptions = {}): Promise<ScriptedHost> => {
  if (close === null)
    onTestFinished(async () => {
      await close?.();
      await forget();
      // Other files of this page expect English.
      await speak('en');
    });
  await close?.();
  current = host;
  // A host that ran before keeps its settings; those given here change them.
  host.answers.get('settings.set')?.(settings);
  scriptShell(host, settingsSchema.parse({ tour_seen: true, ...settings }));
  const { language } = host.answers.get('settings.get')?.({}) as Settings;
  await page.viewport(...size);
  await speak(languageOf(language, ['en']));
  await show(host, at);
  return host;
};
