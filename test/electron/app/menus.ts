/** `Menu`, `Tray`: templates become items, with the labels and keys of Electron's roles. */
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import type { MenuSeen } from '../peer.ts';
import { event, known } from './known.ts';
import { answers, ask, note } from './line.ts';
import { needReady } from './readiness.ts';
import { BrowserWindow, openWindows } from './windows.ts';

interface Role {
  readonly label: string;
  readonly accelerator?: string;
  /** Keys with the same effect in Chromium's page. */
  readonly keys?: string;
  readonly run?: (window: ReturnType<typeof openWindows>[number] | undefined) => void;
}

/** lib/browser/api/menu-item-roles.ts, for Linux: labels are English constants in every system language. */
const roles: Readonly<Record<string, Role>> = {
  about: { label: 'About' },
  close: { label: 'Close', accelerator: 'CommandOrControl+W', run: (one) => one?.close() },
  copy: { label: 'Copy', accelerator: 'CommandOrControl+C', keys: 'Control+c' },
  cut: { label: 'Cut', accelerator: 'CommandOrControl+X', keys: 'Control+x' },
  paste: { label: 'Paste', accelerator: 'CommandOrControl+V', keys: 'Control+v' },
  pasteandmatchstyle: { label: 'Paste and Match Style', keys: 'Control+Shift+v' },
  delete: { label: 'Delete', keys: 'Delete' },
  selectall: { label: 'Select All', accelerator: 'CommandOrControl+A', keys: 'Control+a' },
  undo: { label: 'Undo', accelerator: 'CommandOrControl+Z', keys: 'Control+z' },
  redo: { label: 'Redo', accelerator: 'Shift+CommandOrControl+Z', keys: 'Control+Shift+z' },
  reload: { label: 'Reload', accelerator: 'CmdOrCtrl+R', run: (one) => one?.reload() },
  toggledevtools: { label: 'Toggle Developer Tools', accelerator: 'Ctrl+Shift+I' },
  resetzoom: { label: 'Actual Size', accelerator: 'CommandOrControl+0', run: zoom(() => 0) },
  zoomin: { label: 'Zoom In', accelerator: 'CommandOrControl+Plus', run: zoom((at) => at + 0.5) },
  zoomout: { label: 'Zoom Out', accelerator: 'CommandOrControl+-', run: zoom((at) => at - 0.5) },
  togglefullscreen: {
    label: 'Toggle Full Screen',
    accelerator: 'F11',
    run: (one) => one?.setFullScreen(!one.isFullScreen()),
  },
  minimize: { label: 'Minimize', accelerator: 'CommandOrControl+M', run: (one) => one?.minimize() },
  zoom: { label: 'Zoom' },
  front: { label: 'Bring All to Front' },
  hide: { label: 'Hide Spotter', accelerator: 'Command+H' },
  hideothers: { label: 'Hide Others', accelerator: 'Command+Alt+H' },
  unhide: { label: 'Show All' },
  services: { label: 'Services' },
  quit: { label: 'Quit', accelerator: 'CommandOrControl+Q', run: () => menuHooks.quit() },
  window: { label: 'Window' },
  help: { label: 'Help' },
  appmenu: { label: 'Spotter' },
  filemenu: { label: 'File' },
  editmenu: { label: 'Edit' },
  viewmenu: { label: 'View' },
  windowmenu: { label: 'Window' },
};

function zoom(change: (level: number) => number): NonNullable<Role['run']> {
  return (one) => {
    if (one) one.webContents.zoomLevel = change(one.webContents.zoomLevel);
  };
}

export const menuHooks = { quit: (): void => undefined };

type Template = Electron.MenuItemConstructorOptions;

interface Item {
  readonly template: Template;
  readonly role: Role | undefined;
  readonly submenu: StandInMenu | undefined;
}

const itemOf = (template: Template): Item => {
  const role = template.role === undefined ? undefined : roles[template.role.toLowerCase()];
  if (template.role !== undefined && role === undefined)
    throw new Error(`electron: the menu role ${template.role} is not known to the stand-in`);
  // lib/browser/api/menu-item.ts: "Invalid submenu" for a `submenu` type without one.
  if (template.type === 'submenu' && template.submenu === undefined)
    throw new Error('Invalid submenu');
  const submenu = Array.isArray(template.submenu)
    ? new StandInMenu(template.submenu)
    : (template.submenu as StandInMenu | undefined);
  return { template, role, submenu };
};

const seen = ({ template, role, submenu }: Item): MenuSeen => ({
  id: template.id ?? '',
  // docs/api/menu.md: on Windows and Linux `&` marks the access key and is not shown.
  label: (template.label ?? role?.label ?? '').replace('&', ''),
  role: template.role ?? '',
  type: template.type ?? (submenu === undefined ? 'normal' : 'submenu'),
  accelerator: String(template.accelerator ?? role?.accelerator ?? ''),
  enabled: template.enabled ?? true,
  checked: template.checked ?? false,
  submenu: submenu?.seen() ?? [],
});

let shown: StandInMenu | null = null;
/** The last popup menu, for the harness to choose from. */
let popped: StandInMenu | null = null;

class StandInMenu {
  items: Item[];
  constructor(template: readonly Template[] = []) {
    this.items = template.filter(({ visible }) => visible !== false).map(itemOf);
  }
  seen(): MenuSeen[] {
    return this.items.map(seen);
  }
  popup(): void {
    // eslint-disable-next-line @typescript-eslint/no-this-alias
    popped = this;
    note(
      'menu.popup',
      this.seen().map(({ label }) => label),
    );
  }
  find([first, ...rest]: readonly string[]): Item | undefined {
    const item = this.items.find((one) => seen(one).label === first);
    return rest.length === 0 || item === undefined ? item : item.submenu?.find(rest);
  }
  choose(path: readonly string[]): void {
    const item = this.find(path);
    if (item === undefined) throw new Error(`the menu has no ${path.join(' › ')}`);
    const { template, role } = item;
    if (template.enabled === false) throw new Error(`${path.join(' › ')} is not enabled`);
    const window = BrowserWindow.getFocusedWindow() ?? openWindows()[0];
    // lib/browser/api/menu-item.ts: an executable role is executed, otherwise `click` is called.
    if (role?.keys !== undefined) {
      if (window) void ask('keys', { window: window.id, keys: role.keys });
    } else if (role?.run !== undefined) role.run(window);
    else template.click?.(undefined as never, window as never, event() as never);
  }
}

export const Menu = known('Menu', {
  buildFromTemplate: (template: readonly Template[]) => new StandInMenu(template),
  setApplicationMenu(menu: StandInMenu | null): void {
    shown = menu;
    note('Menu.setApplicationMenu');
  },
  getApplicationMenu: () => shown,
});

const trays: StandInTray[] = [];

class StandInTray extends EventEmitter {
  tooltip = '';
  title = '';
  menu: StandInMenu | null = null;
  destroyed = false;
  constructor(image: Electron.NativeImage) {
    super();
    // An empty picture would make an invisible tray.
    if (image.isEmpty()) throw new Error('electron: the picture of the tray is empty');
    needReady('Tray');
    trays.push(this);
    note('new Tray');

    return known('Tray', this);
  }
  setToolTip(text: string): void {
    this.tooltip = text;
  }
  setTitle(text: string): void {
    this.title = text;
  }
  setImage = (): void => undefined;
  setContextMenu(menu: StandInMenu | null): void {
    this.menu = menu;
    note(
      'tray.setContextMenu',
      menu?.seen().map(({ label }) => label),
    );
  }
  isDestroyed = (): boolean => this.destroyed;
  destroy(): void {
    this.destroyed = true;
    trays.splice(trays.indexOf(this), 1);
    note('tray.destroy');
  }
}
export const Tray = StandInTray;

answers.menu = () => shown?.seen() ?? [];
answers.tray = () =>
  trays.map(({ title, tooltip, menu }) => ({ title, tooltip, menu: menu?.seen() ?? [] }));
answers.choose = ({ menu, path }) => {
  const from = menu === 'app' ? shown : menu === 'context' ? popped : (trays[0]?.menu ?? null);
  if (from === null) throw new Error(`there is no ${menu} menu`);
  from.choose(path);
};
/** docs/api/web-contents.md, context-menu: Electron shows no menu by default. */
answers.contextMenu = async ({ window, params }) => {
  popped = null;
  const one = openWindows().find(({ id }) => id === window);
  one?.webContents.emit('context-menu', event(), params);
  // The app may look something up before it shows the menu.
  for (let turn = 0; turn < 20 && popped === null; turn += 1)
    await new Promise((resolve) => setImmediate(resolve));
  return (popped as StandInMenu | null)?.seen() ?? [];
};
