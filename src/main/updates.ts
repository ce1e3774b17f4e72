/**
 * A newer version of the program: looked for at the start and daily, fetched in the background, told in Settings and in the tray. It is
 * put in when a person says so and nothing waits or is sent, else when the program ends the next time, after its host has stopped. A deb
 * or rpm belongs to the system's own packages, a Windows program in Program Files to an administrator: there it is only told. Fetching,
 * checking and putting in are electron-updater's; this decides when, and a test runs it with the real one.
 */
import type { DesktopDeed, UpdateView } from '../contract/desktop.ts';

/** Of electron-updater's AppUpdater. */
export interface UpdaterSide {
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  allowDowngrade: boolean;
  allowPrerelease: boolean;
  checkForUpdates(): Promise<{ readonly downloadPromise?: Promise<unknown> | null } | null>;
  quitAndInstall(silent: boolean, runAfter: boolean): void;
  on(
    event: 'update-available' | 'update-downloaded',
    hear: (info: { version: string }) => void,
  ): unknown;
  on(event: 'update-not-available', hear: () => void): unknown;
  on(event: 'error', hear: (error: Error) => void): unknown;
}

/** off: no feed was named when this program was built. tell: somebody else puts it in. self: this program does. */
export type UpdateWay = 'off' | 'tell' | 'self';

/** Is a Windows program installed for everybody? Its installer asks for an administrator, also where it is silent. */
export const isForAll = (
  path: string,
  env: Readonly<Record<string, string | undefined>>,
): boolean =>
  ['ProgramFiles', 'ProgramFiles(x86)', 'ProgramW6432'].some((name) => {
    const folder = env[name]?.toLowerCase();
    return Boolean(folder) && path.toLowerCase().startsWith(`${folder}\\`);
  });

export const updateWay = (program: {
  readonly feed: boolean;
  readonly platform: NodeJS.Platform;
  /** Where this AppImage is; without one a Linux program came by the system's packages. */
  readonly appimage: string | undefined;
  /** Of a Windows program: an administrator put it in, for everybody. */
  readonly for_all: boolean;
}): UpdateWay => {
  if (!program.feed) return 'off';
  if (program.platform === 'win32') return program.for_all ? 'tell' : 'self';
  return program.platform === 'linux' && !program.appimage ? 'tell' : 'self';
};

/** What the shell knows of the queue. */
export interface Busy {
  readonly waiting: number;
  readonly sending: number;
  /** Something is typed that is not on the disk yet. */
  readonly unwritten: boolean;
}

/** Now, in a moment (what is typed is being written), or only at the next end, because the queue is let finish? */
export const whenToPutIn = ({ waiting, sending, unwritten }: Busy): 'now' | 'soon' | 'later' => {
  if (waiting > 0 || sending > 0) return 'later';
  return unwritten ? 'soon' : 'now';
};

export interface UpdateParts {
  readonly way: Exclude<UpdateWay, 'off'>;
  readonly tell: (view: UpdateView) => void;
  readonly busy: () => Busy;
  /** Does it where a program that is to be replaced may: where it must have ended, as the last thing of its end. */
  readonly put_in: (install: () => void) => void;
  readonly now: () => number;
  readonly log: (text: string) => void;
  readonly every_ms?: number;
}

export interface Updates {
  ask(what: DesktopDeed): void;
  /** The window told anew what it is busy with. */
  reported(): void;
  end(): void;
}

const DAY_MS = 24 * 3_600_000;

export const keepUpdates = (updater: UpdaterSide, parts: UpdateParts): Updates => {
  const self = parts.way === 'self';
  updater.autoDownload = self;
  updater.autoInstallOnAppQuit = self;
  updater.allowDowngrade = false;
  updater.allowPrerelease = false;
  let view: UpdateView = { state: 'idle', version: null, looked_at: null };
  const tell = (change: Partial<UpdateView>): void => {
    view = { ...view, ...change };
    parts.tell(view);
  };
  updater.on('update-available', ({ version }) =>
    tell({ state: self ? 'fetching' : 'told', version, looked_at: parts.now() }),
  );
  updater.on('update-not-available', () =>
    tell({ state: 'idle', version: null, looked_at: parts.now() }),
  );
  updater.on('update-downloaded', ({ version }) => tell({ state: 'ready', version }));
  updater.on('error', (error) => {
    parts.log(`the update did not work: ${error.message}`);
    // What was fetched before stays ready.
    if (view.state !== 'ready') tell({ state: 'failed', looked_at: parts.now() });
  });
  const look = (): void => {
    if (['looking', 'fetching', 'ready'].includes(view.state)) return;
    tell({ state: 'looking' });
    // What does not work comes as an event too; unheard, the download's own refusal would be an error that nobody caught.
    updater
      .checkForUpdates()
      .then((found) => found?.downloadPromise)
      .catch(() => undefined);
  };
  const timer = setInterval(look, parts.every_ms ?? DAY_MS);
  timer.unref();
  look();
  /** A person pressed the button while something was being written. */
  let pressed = false;
  const putIn = (): void => {
    const when = view.state === 'ready' ? whenToPutIn(parts.busy()) : 'later';
    pressed = when === 'soon';
    if (when === 'now') parts.put_in(() => updater.quitAndInstall(true, true));
  };
  return {
    ask: (what) => (what === 'look_for_update' ? look() : putIn()),
    reported: () => {
      if (pressed) putIn();
    },
    end: () => clearInterval(timer),
  };
};
