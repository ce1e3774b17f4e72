/**
 * Looks for a newer version at the start and daily, downloads it in the background, and announces it in Settings and in the
 * tray. It installs when a person asks and nothing is waiting or being sent, otherwise at the next end, after the host has
 * stopped. Where the program may not replace itself it only announces: deb and rpm, Windows for all users, macOS without a
 * team's signature. electron-updater downloads, verifies and installs; this module decides when. A test runs it with the real
 * electron-updater.
 */
import type { DesktopDeed, UpdateView } from '../../contract/desktop.ts';

/** The slice of electron-updater's AppUpdater used here. */
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

/** off: built without a feed. announce: only announces, because another party installs. self: installs itself. */
export type UpdateWay = 'off' | 'announce' | 'self';

/** True for a Windows program installed for all users. Its installer asks for an administrator, even when silent. */
export const isForAll = (
  path: string,
  env: Readonly<Record<string, string | undefined>>,
): boolean =>
  ['ProgramFiles', 'ProgramFiles(x86)', 'ProgramW6432'].some((name) => {
    const folder = env[name]?.toLowerCase();
    return Boolean(folder) && path.toLowerCase().startsWith(`${folder}\\`);
  });

/** @param said the output of `codesign -dv`; an ad hoc signature has no team */
export function isSignedByTeam(said: string): boolean {
  return /^TeamIdentifier=(?!not set$)\S+$/m.test(said);
}

export const updateWay = (program: {
  readonly feed: boolean;
  readonly platform: NodeJS.Platform;
  /** Path of this AppImage; without it a Linux program was installed from a system package. */
  readonly appimage: string | undefined;
  /** Windows: an administrator installed the program for all users. */
  readonly for_all: boolean;
  /** macOS: a team signed the program. Squirrel.Mac "requires the app to be signed for automatic updates to work at all". */
  readonly signed: boolean;
}): UpdateWay => {
  if (!program.feed) return 'off';
  if (program.platform === 'win32') return program.for_all ? 'announce' : 'self';
  if (program.platform === 'darwin') return program.signed ? 'self' : 'announce';
  return program.platform === 'linux' && !program.appimage ? 'announce' : 'self';
};

export interface Busy {
  readonly waiting: number;
  readonly sending: number;
  /** True while some input is not on the disk yet. */
  readonly unwritten: boolean;
  /** True while files are being copied, which an end would lose. */
  readonly copying: boolean;
}

/** `soon`: pending input is being written. `later`: the queue finishes first, so the update installs at the next end. */
export const whenToPutIn = ({
  waiting,
  sending,
  unwritten,
  copying,
}: Busy): 'now' | 'soon' | 'later' => {
  if (waiting > 0 || sending > 0 || copying) return 'later';
  return unwritten ? 'soon' : 'now';
};

export interface UpdateParts {
  readonly way: Exclude<UpdateWay, 'off'>;
  readonly report: (view: UpdateView) => void;
  readonly busy: () => Busy;
  /**
   * Runs `install` once this program may be replaced: at once on macOS, otherwise as its last step, after the host has stopped.
   */
  readonly put_in: (install: () => void) => void;
  readonly now: () => number;
  readonly log: (text: string) => void;
  readonly every_ms?: number;
}

export interface Updates {
  ask(what: DesktopDeed): void;
  /** Called when the window reports its state again. */
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
  const report = (change: Partial<UpdateView>): void => {
    view = { ...view, ...change };
    parts.report(view);
  };
  updater.on('update-available', ({ version }) =>
    report({ state: self ? 'fetching' : 'announced', version, looked_at: parts.now() }),
  );
  updater.on('update-not-available', () =>
    report({ state: 'idle', version: null, looked_at: parts.now() }),
  );
  updater.on('update-downloaded', ({ version }) => report({ state: 'ready', version }));
  updater.on('error', (error) => {
    parts.log(`the update did not work: ${error.message}`);
    // An update downloaded earlier stays ready.
    if (view.state !== 'ready') report({ state: 'failed', looked_at: parts.now() });
  });
  const look = (): void => {
    if (['looking', 'fetching', 'ready'].includes(view.state)) return;
    report({ state: 'looking' });
    // Failures arrive as an `error` event too. Without this catch the rejected download would be an uncaught error.
    updater
      .checkForUpdates()
      .then((found) => found?.downloadPromise)
      .catch(() => undefined);
  };
  const timer = setInterval(look, parts.every_ms ?? DAY_MS);
  timer.unref();
  look();
  /** True when a person asked to install while input was being written. */
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
