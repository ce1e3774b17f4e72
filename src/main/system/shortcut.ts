/**
 * Registers the global shortcut for a new near miss while the setting is on. When another program has the keys, the window
 * learns which other keys are free. It depends only on slices of Electron's types, so that a test runs it without Electron.
 */
import type { HostApi } from '../../contract/carrier.ts';
import type { DesktopView } from '../../contract/desktop.ts';
import { hostMethods } from '../../contract/host.ts';
import type { Settings } from '../../contract/settings.ts';

/** The slice of Electron's globalShortcut used here. */
export interface ShortcutSide {
  /** False when another program has these keys. */
  register(accelerator: string, pressed: () => void): boolean;
  unregister(accelerator: string): void;
}

/**
 * Proposed keys, best first. Ctrl+Alt is AltGr on Windows and Linux and types letters. Alt+Shift switches the keyboard layout
 * on Windows. Option with a letter types a character on macOS.
 */
export const proposedKeys = (platform: NodeJS.Platform): readonly string[] =>
  platform === 'darwin'
    ? ['Command+Shift+N', 'Control+Shift+N', 'Control+Command+N', 'Control+Shift+F9']
    : ['Control+Shift+F9', 'Control+Shift+F12', 'Control+Shift+F7', 'Control+Shift+F6'];

type Keys = DesktopView['keys'];
type Wanted = Pick<Settings, 'global_shortcut' | 'global_keys'>;

/**
 * @param told receives the state of the keys, for the settings screen
 * @returns a function that releases the keys and stops following the setting
 */
export const keepShortcut = (
  host: Pick<HostApi, 'call' | 'listen'>,
  shortcuts: ShortcutSide,
  pressed: () => void,
  told: (keys: Keys) => void,
  platform: NodeJS.Platform = process.platform,
): (() => void) => {
  const proposed = proposedKeys(platform);
  let held: string | null = null;
  let asked: string | null | undefined;
  let over = false;
  const giveBack = (): void => {
    if (held !== null) shortcuts.unregister(held);
    held = null;
  };
  const isFree = (keys: string): boolean => {
    const free = shortcuts.register(keys, pressed);
    if (free) shortcuts.unregister(keys);
    return free;
  };
  const follow = ({ global_shortcut, global_keys }: Wanted): void => {
    const chosen = global_keys ?? proposed[0] ?? '';
    const wanted = global_shortcut ? chosen : null;
    if (over || wanted === asked) return;
    asked = wanted;
    giveBack();
    if (wanted === null) return told({ state: 'off', chosen, free: [] });
    if (shortcuts.register(wanted, pressed)) {
      held = wanted;
      return told({ state: 'held', chosen, free: [] });
    }
    const free = proposed.filter((keys) => keys !== wanted && isFree(keys));
    told({ state: 'refused', chosen, free });
  };
  const unlisten = host.listen((event) => {
    if (event.kind === 'settings.changed') follow(event.settings);
  });
  void host.call('settings.get', {}).then(({ result }) => {
    const settings = result.ok
      ? hostMethods['settings.get'].output.safeParse(result.value)
      : undefined;
    if (settings?.success) follow(settings.data);
  });
  return () => {
    over = true;
    unlisten();
    giveBack();
  };
};
