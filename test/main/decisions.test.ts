/** What the Electron shell decides without Electron: arguments and links, window places, closing, notifications, progress, menus. */
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { windowAsk } from '../../src/contract/asks.ts';
import {
  askOfLink,
  type Opened,
  openedOfArguments,
  readArguments,
} from '../../src/main/arguments.ts';
import { onClose } from '../../src/main/closing.ts';
import { type Clicked, contextOf } from '../../src/main/system/context-menu.ts';
import { countDeaths } from '../../src/main/window/health.ts';
import { menuOf } from '../../src/main/system/menu.ts';
import { noticeOf, placeOfNotice } from '../../src/main/system/notices.ts';
import { keepAwake } from '../../src/main/system/power.ts';
import { after, NOTHING_KNOWN, sentOf } from '../../src/main/self-test/standing.ts';
import { hearOpened } from '../../src/main/system/opened.ts';
import { missingPart, prepareFolder } from '../../src/main/start-problem.ts';
import { placeOf, readWindowState } from '../../src/main/window/window-state.ts';
import { wordsFor } from '../../src/main/words/words.ts';

const english = wordsFor('en', []);
const spanish = wordsFor('system', ['fr-FR', 'es-MX']);
const polish = wordsFor('system', ['nb-NO', 'pl-PL', 'es-MX']);

describe('arguments', () => {
  it('a relative data folder is made absolute from where the program was started; Chromium’s switches are passed over', () => {
    const read = readArguments(
      ['electron', '.', '--data-dir=here', '--no-sandbox', '--lang=es'],
      '/a',
    );
    expect(read).toEqual({
      data_dir: '/a/here',
      hidden: false,
      server: null,
      opened: null,
      self_test: null,
    });
  });

  it('without one it is the folder of src/setup/commands.md, the same for every shell and never a roaming profile', async () => {
    const { default: paths } = await import('env-paths');
    const { data_dir } = readArguments(['spotter'], '/a');
    expect(data_dir).toBe(paths('spotter', { suffix: '' }).data);
    expect(data_dir).not.toMatch(/Roaming|\.config/);
  });

  it('a link opens a near miss or the form; anything else opens nothing', () => {
    expect(askOfLink('spotter://new')).toEqual({ ask: 'show', place: 'new' });
    const key = '01K0000000000000000000000A';
    expect(askOfLink(`spotter://near-misses/${key}`)).toEqual({ ask: 'near_miss', key });
    for (const text of [
      'spotter://new?x=1',
      'spotter://new/deeper',
      'spotter://u@new',
      'spotter:new',
      'https://new',
      'spotter://near-misses/',
      'spotter://near-misses/a/b',
      'spotter://near-misses/%2e%2e',
      'x',
      `spotter://near-misses/${'a'.repeat(101)}`,
    ])
      expect(askOfLink(text), text).toBeNull();
    expect(openedOfArguments(['--x', 'spotter://new', '--y'], '/a')).toEqual({
      kind: 'link',
      ask: { ask: 'show', place: 'new' },
    });
    expect(openedOfArguments(['--x'], '/a')).toBeNull();
  });

  it('an export is opened by its path or its address; a switch, a folder, another file opens nothing', () => {
    const opened = (text: string) => openedOfArguments(['.', text, '--lang=es'], resolve('/a'));
    const path = resolve('/a/b c/spotter-ü.ZIP');
    const file = { kind: 'file', path };
    expect(opened('b c/spotter-ü.ZIP')).toEqual(file);
    expect(opened(path)).toEqual(file);
    expect(opened(pathToFileURL(path).href)).toEqual(file);
    for (const text of [
      '--data-dir=x.zip',
      'x.txt',
      'file://host:9/x.zip',
      'https://a.example/x.zip',
    ])
      expect(opened(text), text).toBeNull();
  });

  it('what macOS hands over before the app is ready is kept until a run follows it', () => {
    const app = new EventEmitter() as EventEmitter & Pick<Electron.App, 'on'>;
    const heard = hearOpened(app);
    const hand = (event: string, text: string) =>
      expect(app.emit(event, { preventDefault: () => undefined }, text)).toBe(true);
    hand('open-url', 'spotter://new');
    hand('open-url', 'https://new');
    hand('open-file', '/a/x.zip');
    const taken: (Opened | null)[] = [];
    heard.follow((one) => taken.push(one));
    hand('open-url', 'spotter://new');
    const link = { kind: 'link', ask: { ask: 'show', place: 'new' } };
    expect(taken).toEqual([link, { kind: 'file', path: '/a/x.zip' }, link]);
  });

  it('another start that comes while this one starts is kept too, with its link and its arguments', () => {
    const app = new EventEmitter();
    const heard = hearOpened(app as never);
    const again = (...args: string[]) =>
      expect(app.emit('second-instance', {}, ['/opt/spotter', ...args], '/a')).toBe(true);
    again('spotter://new');
    again();
    const taken: unknown[][] = [];
    heard.follow((...came) => taken.push(came));
    again('x.zip');
    expect(taken).toEqual([
      [{ kind: 'link', ask: { ask: 'show', place: 'new' } }, ['spotter://new']],
      [null, []],
      [{ kind: 'file', path: resolve('/a/x.zip') }, ['x.zip']],
    ]);
  });

  it('whatever text comes as a link, what is asked is one of the asks', () => {
    const hostile = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.string().map((text) => `spotter://${text}`),
    );
    fc.assert(
      fc.property(hostile, (text) => {
        const ask = askOfLink(text);
        return ask === null || windowAsk.safeParse(ask).success;
      }),
      { numRuns: 300 },
    );
  });
});

describe('the window’s place', () => {
  const screen = { x: 0, y: 0, width: 1920, height: 1080 };
  const kept = (x: number, y: number, width = 1000, height = 700) => ({
    bounds: { x, y, width, height },
    maximized: false,
    zoom: 0,
  });

  it('is the kept one where its title is on a screen that is still there', () => {
    expect(placeOf(kept(100, 50), [screen])).toEqual({ x: 100, y: 50, width: 1000, height: 700 });
    const second = { ...screen, x: 1920 };
    expect(placeOf(kept(2000, 50), [screen, second])).toMatchObject({ x: 2000 });
  });

  it('is the system’s where that screen is gone, and never larger than a screen', () => {
    expect(placeOf(kept(2000, 50), [screen])).toEqual({ width: 1000, height: 700 });
    expect(placeOf(kept(100, -60), [screen])).toEqual({ width: 1000, height: 700 });
    expect(placeOf(kept(0, 0, 4000, 3000), [screen])).toMatchObject({ width: 1920, height: 1080 });
    expect(placeOf(null, [screen])).toEqual({ width: 1280, height: 860 });
  });

  it('a damaged note of it is as good as none', () => {
    const folder = mkdtempSync(join(tmpdir(), 'spotter-window-'));
    for (const text of ['{', '{"bounds":{"x":1e300}}', '[]']) {
      writeFileSync(join(folder, 'window.json'), text);
      expect(readWindowState(join(folder, 'window.json'))).toBeNull();
    }
    rmSync(folder, { recursive: true });
  });
});

it('counts in Polish with three forms, in the tray and in notifications', () => {
  expect([0, 1, 2, 5, 12, 22, 25].map((n) => polish.tray.waiting(n))).toEqual([
    'Kolejka jest pusta',
    '1 zdarzenie w kolejce',
    '2 zdarzenia w kolejce',
    '5 zdarzeń w kolejce',
    '12 zdarzeń w kolejce',
    '22 zdarzenia w kolejce',
    '25 zdarzeń w kolejce',
  ]);
  expect([1, 3, 5].map((n) => polish.notice.parked(n).title)).toEqual([
    'Zdarzenie wymaga uwagi',
    '3 zdarzenia wymagają uwagi',
    '5 zdarzeń wymaga uwagi',
  ]);
});

it('closing asks only while something waits, does as chosen, and never stops a quit', () => {
  const here = { quitting: false, mac: false, copying: false };
  expect(onClose(0, 'ask', here)).toBe('close');
  expect(onClose(3, 'ask', here)).toBe('ask');
  expect(onClose(3, 'keep_sending', here)).toBe('hide');
  expect(onClose(3, 'end', here)).toBe('close');
  expect(onClose(3, 'ask', { ...here, quitting: true })).toBe('close');
  expect(onClose(0, 'ask', { ...here, mac: true })).toBe('hide');
});

it('closing asks while files are being copied, also with an empty queue, and never stops a quit', () => {
  const here = { quitting: false, mac: false, copying: true };
  expect(onClose(0, 'ask', here)).toBe('ask_copying');
  expect(onClose(3, 'ask', here)).toBe('ask_copying');
  expect(onClose(3, 'end', here)).toBe('ask_copying');
  // A hidden window goes on copying.
  expect(onClose(3, 'keep_sending', here)).toBe('hide');
  expect(onClose(0, 'ask', { ...here, mac: true })).toBe('hide');
  expect(onClose(0, 'ask', { ...here, quitting: true })).toBe('close');
});

describe('notifications', () => {
  const none = {
    waiting: 0,
    parked: 0,
    sending: 0,
    unwritten: false,
    copying: false,
    due: null as number | null,
    session: 'ready' as const,
  };
  it('speak once of a follow-up that became due, also at a start behind the window', () => {
    const due = (n: number | null) => ({ ...none, due: n });
    expect(noticeOf(due(null), due(2), true)).toBe('due');
    expect(noticeOf(due(2), due(3), true)).toBe('due');
    expect(noticeOf(due(3), due(3), true)).toBeNull();
    expect(noticeOf(due(3), due(1), true)).toBeNull();
    expect(noticeOf(due(null), due(0), true)).toBeNull();
    expect(noticeOf(due(1), due(2), false)).toBeNull();
    expect(placeOfNotice.due).toBe('due');
    // A page that was opened anew has not counted yet.
    const report = (n: number | null) =>
      ({
        kind: 'window.reported',
        report: { waiting: 0, parked: 0, sending: 0, unwritten: false, copying: false, due: n },
      }) as const;
    const known = after(after(NOTHING_KNOWN, report(2)), report(null));
    expect(known.due).toBe(2);
  });
  it('speak where a person is needed, or when all has gone, and only while nobody looks', () => {
    const waits = { ...none, waiting: 2 };
    expect(noticeOf(waits, { ...waits, parked: 1 }, true)).toBe('parked');
    expect(noticeOf(waits, { ...waits, session: 'signed_out' }, true)).toBe('signed_out');
    expect(noticeOf(waits, { ...waits, session: 'locked' }, true)).toBe('keychain');
    expect(noticeOf(waits, none, true)).toBe('all_sent');
    expect(noticeOf(waits, none, false)).toBeNull();
  });
  it('say nothing of what heals by itself, nor of a sign-out with an empty queue', () => {
    const waits = { ...none, waiting: 2 };
    expect(noticeOf(none, waits, true)).toBeNull();
    expect(noticeOf(waits, { ...waits, sending: 1 }, true)).toBeNull();
    expect(noticeOf(none, { ...none, session: 'signed_out' }, true)).toBeNull();
  });
});

it('progress is of the bytes on their way, and over when nothing is', () => {
  const photo = (sent: number, step: 'sending' | 'verifying' = 'sending') =>
    ({ kind: 'photo.progress', photo_id: 'p', step, sent, size: 100 }) as const;
  const reported = (sending: number) =>
    ({
      kind: 'window.reported',
      report: { waiting: 1, parked: 0, sending, unwritten: false, copying: false, due: null },
    }) as const;
  expect(sentOf(NOTHING_KNOWN)).toBeNull();
  const going = after(NOTHING_KNOWN, reported(1));
  expect(sentOf(going)).toBe(2);
  const half = after(going, photo(50));
  expect(sentOf(half)).toBe(0.5);
  expect(sentOf(after(half, photo(100, 'verifying')))).toBe(2);
  expect(sentOf(after(half, reported(0)))).toBeNull();
});

it('the system is held awake while bytes go, once, and let go after', () => {
  const held = new Set<number>();
  let count = 0;
  const awake = keepAwake({
    start: () => {
      held.add((count += 1));
      return count;
    },
    stop: (id) => held.delete(id),
  });
  for (const going of [false, true, true]) awake(going);
  expect([...held]).toEqual([1]);
  awake(false);
  expect(held.size).toBe(0);
});

it('the third death within a minute is one too many', () => {
  let now = 0;
  const tooOften = countDeaths(() => now);
  expect([tooOften(), tooOften()]).toEqual([false, false]);
  now = 61_000;
  expect([tooOften(), tooOften(), tooOften()]).toEqual([false, false, true]);
  expect(tooOften()).toBe(false);
});

describe('menus', () => {
  const deeds = {
    ask: () => undefined,
    savePdf: () => undefined,
    openDocs: null,
  };
  type Node = {
    label?: string;
    type?: string;
    role?: string;
    accelerator?: string;
    visible?: boolean;
    submenu?: unknown;
  };
  const flat = (items: readonly Node[]): Node[] =>
    items.flatMap((item) => [item, ...flat((item.submenu ?? []) as Node[])]);

  it('every entry has a word of ours in the app’s language, on every system', () => {
    for (const mac of [true, false])
      for (const developing of [true, false]) {
        const place = { mac, developing };
        const one = flat(menuOf(english, deeds, place) as Node[]);
        expect(one.filter(({ label, type }) => !label && type !== 'separator')).toEqual([]);
        for (const words of [spanish, polish]) {
          const other = flat(menuOf(words, deeds, place) as Node[]);
          const same = one
            .filter(({ label }, at) => label && label === other[at]?.label)
            .map(({ label }) => label);
          expect(same.filter((label) => label !== 'Spotter')).toEqual([]);
        }
      }
  });

  it('zooms by the plain key, the plus of a Spanish keyboard and the number pad too, without a second entry to see', () => {
    const entries = flat(menuOf(english, deeds, { mac: false, developing: false }) as Node[]);
    const zooms = entries.filter(({ role }) => role === 'zoomIn' || role === 'zoomOut');
    const keys = (shown: boolean) =>
      zooms
        .filter(({ visible = true }) => visible === shown)
        .map(({ role, accelerator }) => [role, accelerator]);
    expect(keys(true)).toEqual([
      ['zoomIn', undefined],
      ['zoomOut', undefined],
    ]);
    expect(keys(false)).toEqual([
      ['zoomIn', 'CommandOrControl+='],
      ['zoomIn', 'CommandOrControl+numadd'],
      ['zoomOut', 'CommandOrControl+numsub'],
    ]);
  });

  it('Alt and a letter open each menu on Windows and Linux, never the letter that is the window’s own', () => {
    const tops = (words: typeof english, mac: boolean) =>
      menuOf(words, deeds, { mac, developing: false }).map(({ label }) => label);
    expect(tops(english, false)).toEqual(['&File', '&Edit', '&View', '&Window', '&Help']);
    expect(tops(spanish, false)).toEqual(['&Archivo', '&Edición', '&Ver', 'Ven&tana', 'A&yuda']);
    expect(tops(polish, false)).toEqual(['&Plik', '&Edycja', '&Widok', '&Okno', 'Po&moc']);
    expect(tops(english, true).join('')).not.toContain('&');
  });

  it('has no developer tools and no loading again in an installed program', () => {
    const labels = flat(menuOf(english, deeds, { mac: false, developing: false }) as Node[]);
    expect(labels.map(({ label }) => label)).not.toContain(english.menu.developer_tools);
    expect(labels.map(({ label }) => label)).not.toContain(english.menu.reload);
  });

  const clicked: Clicked = {
    isEditable: false,
    selectionText: '',
    mediaType: 'none',
    hasImageContents: false,
    srcURL: '',
    linkURL: '',
    misspelledWord: '',
    dictionarySuggestions: [],
    x: 0,
    y: 0,
    editFlags: { canCopy: true, canCut: true, canPaste: true, canSelectAll: true } as never,
  } as Clicked;
  const done: string[] = [];
  const context = (change: Partial<Clicked>) =>
    contextOf({ ...clicked, ...change }, english, {
      replace: (word) => done.push(word),
      copyPicture: () => undefined,
      savePicture: () => undefined,
      copyLink: () => undefined,
    }).map(({ label, type }) => label ?? type);

  it('the right mouse button offers spelling, text, pictures and links, and nothing where there is nothing', () => {
    expect(context({})).toEqual([]);
    expect(context({ selectionText: 'beam' })).toEqual(['Copy']);
    expect(
      context({ isEditable: true, misspelledWord: 'scafold', dictionarySuggestions: ['scaffold'] }),
    ).toEqual([
      'scaffold',
      'separator',
      'Cut',
      'Copy',
      'Paste',
      'Paste as plain text',
      'Select all',
    ]);
    expect(context({ mediaType: 'image', hasImageContents: true })).toEqual([
      'Copy picture',
      'Save picture…',
    ]);
    expect(context({ linkURL: 'https://a.example/' })).toEqual(['Copy link']);
    expect(context({ linkURL: 'app://spotter/index.html#/new' })).toEqual([]);
  });
});

it('a folder that cannot be used, and a part of the program that is missing, are told by name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spotter-start-'));
  expect(prepareFolder(join(folder, 'data'))).toBeNull();
  writeFileSync(join(folder, 'file'), '');
  expect(prepareFolder(join(folder, 'file/data'))).toMatchObject({ kind: 'unusable_folder' });
  expect(missingPart(folder)).toMatchObject({ kind: 'damaged' });
  rmSync(folder, { recursive: true });
});
