/**
 * Builds the application menu in the app's language. Electron's roles act like the system's own entries but have English
 * labels, so every role gets a label from our words. Returns data, so that tests can read it; desktop.ts installs it.
 */
import type { MenuItemConstructorOptions as Item } from 'electron';
import type { WindowAsk } from '../../contract/asks.ts';
import type { Words } from '../words/words.ts';

export interface MenuDeeds {
  ask(ask: WindowAsk): void;
  savePdf(): void;
  /** Opens the API documentation of the service on this laptop; null while the service does not run. */
  readonly openDocs: (() => void) | null;
}

export interface MenuPlace {
  readonly mac: boolean;
  /** True when started from the sources: adds reload and developer tools. */
  readonly developing: boolean;
}

const line: Item = { type: 'separator' };

const appMenu = ({ menu: t }: Words, { ask }: MenuDeeds): Item => ({
  label: 'Spotter',
  submenu: [
    { label: t.about, click: () => ask({ ask: 'show', place: 'about' }) },
    line,
    {
      label: t.settings,
      accelerator: 'Command+,',
      click: () => ask({ ask: 'show', place: 'settings' }),
    },
    line,
    { role: 'services', label: t.services },
    line,
    { role: 'hide', label: t.hide },
    { role: 'hideOthers', label: t.hide_others },
    { role: 'unhide', label: t.show_all },
    line,
    { role: 'quit', label: t.quit },
  ],
});

const fileMenu = ({ menu: t }: Words, { ask, savePdf }: MenuDeeds, mac: boolean): Item => ({
  label: t.file,
  submenu: [
    {
      label: t.new_near_miss,
      accelerator: 'CommandOrControl+N',
      click: () => ask({ ask: 'show', place: 'new' }),
    },
    line,
    { label: t.import, click: () => ask({ ask: 'show', place: 'everything' }) },
    { label: t.export, click: () => ask({ ask: 'show', place: 'everything' }) },
    line,
    {
      label: t.print,
      accelerator: 'CommandOrControl+P',
      click: () => ask({ ask: 'do', what: 'print' }),
    },
    { label: t.save_pdf, click: savePdf },
    line,
    ...(mac
      ? []
      : [
          {
            label: t.settings,
            accelerator: 'Control+,',
            click: () => ask({ ask: 'show', place: 'settings' }),
          },
          line,
        ]),
    { role: 'close', label: t.close },
    ...(mac ? [] : [{ role: 'quit', label: t.quit } as const]),
  ],
});

const editMenu = ({ menu: t }: Words, { ask }: MenuDeeds): Item => ({
  label: t.edit,
  submenu: [
    { role: 'undo', label: t.undo },
    { role: 'redo', label: t.redo },
    line,
    { role: 'cut', label: t.cut },
    { role: 'copy', label: t.copy },
    { role: 'paste', label: t.paste },
    { role: 'pasteAndMatchStyle', label: t.paste_plain },
    { role: 'delete', label: t.delete },
    { role: 'selectAll', label: t.select_all },
    line,
    {
      label: t.find,
      accelerator: 'CommandOrControl+F',
      click: () => ask({ ask: 'do', what: 'find' }),
    },
  ],
});

/**
 * Electron reads the role's own key `Plus` as Shift with the `=` key. That excludes the plain `=` key, the plus key of a
 * Spanish keyboard and the number pad.
 */
const moreZoomKeys = (t: Words['menu']): Item[] =>
  (
    [
      ['zoomIn', t.zoom_in, '='],
      ['zoomIn', t.zoom_in, 'numadd'],
      ['zoomOut', t.zoom_out, 'numsub'],
    ] as const
  ).map(([role, label, key]) => ({
    role,
    label,
    accelerator: `CommandOrControl+${key}`,
    visible: false,
  }));

const viewMenu = ({ menu: t }: Words, { ask }: MenuDeeds, developing: boolean): Item => ({
  label: t.view,
  submenu: [
    {
      label: t.near_misses,
      accelerator: 'CommandOrControl+1',
      click: () => ask({ ask: 'show', place: 'near_misses' }),
    },
    {
      label: t.waiting,
      accelerator: 'CommandOrControl+2',
      click: () => ask({ ask: 'show', place: 'waiting' }),
    },
    line,
    { role: 'resetZoom', label: t.actual_size },
    { role: 'zoomIn', label: t.zoom_in },
    { role: 'zoomOut', label: t.zoom_out },
    ...moreZoomKeys(t),
    line,
    { role: 'togglefullscreen', label: t.full_screen },
    ...(developing
      ? [
          line,
          { role: 'reload', label: t.reload } as const,
          { role: 'toggleDevTools', label: t.developer_tools } as const,
        ]
      : []),
  ],
});

const windowMenu = ({ menu: t }: Words, mac: boolean): Item => ({
  role: 'window',
  label: t.window,
  submenu: [
    { role: 'minimize', label: t.minimize },
    ...(mac
      ? ([{ role: 'zoom', label: t.zoom }, line, { role: 'front', label: t.front }] as const)
      : []),
  ],
});

const helpMenu = ({ menu: t }: Words, { ask, openDocs }: MenuDeeds, mac: boolean): Item => ({
  role: 'help',
  label: t.help,
  submenu: [
    { label: t.keys, click: () => ask({ ask: 'do', what: 'keys' }) },
    { label: t.service_docs, enabled: openDocs !== null, click: () => openDocs?.() },
    { label: t.diagnostics, click: () => ask({ ask: 'show', place: 'about' }) },
    ...(mac ? [] : [line, { label: t.about, click: () => ask({ ask: 'show', place: 'about' }) }]),
  ],
});

/** The window itself uses Alt with this letter (screens/shell/keys.ts). */
const RESERVED = 'n';

/** Assigns each menu an Alt letter for Windows and Linux: the first letter of its label that no earlier menu uses. */
function withLetters(menus: readonly Item[]): Item[] {
  const taken = new Set([RESERVED]);
  return menus.map((menu) => {
    const letters = [...(menu.label ?? '')];
    const at = letters.findIndex((one) => /\p{L}/u.test(one) && !taken.has(one.toLowerCase()));
    if (at < 0) return menu;
    taken.add(letters[at]?.toLowerCase() ?? '');
    return { ...menu, label: letters.toSpliced(at, 0, '&').join('') };
  });
}

const menusOf = (words: Words, deeds: MenuDeeds, { mac, developing }: MenuPlace): Item[] => [
  ...(mac ? [appMenu(words, deeds)] : []),
  fileMenu(words, deeds, mac),
  editMenu(words, deeds),
  viewMenu(words, deeds, developing),
  windowMenu(words, mac),
  helpMenu(words, deeds, mac),
];

export const menuOf = (words: Words, deeds: MenuDeeds, place: MenuPlace): Item[] => {
  const menus = menusOf(words, deeds, place);
  return place.mac ? menus : withLetters(menus);
};
