/**
 * The system's keys for a new near miss, while another program is in front: registered as long as the setting says so. Where another
 * program has them, the window is told, with those that this system would give. Typed by the slices it uses, so that a test runs it
 * without Electron; the window does what the event asks.
 */
import type { HostDoor } from '../contract/carrier.ts';
import type { DesktopView } from '../contract/desktop.ts';
import { hostMethods } from '../contract/host.ts';
import type { Settings } from '../contract/settings.ts';

/** Of Electron's globalShortcut. */
export interface ShortcutSide {
  /** False where another program has these keys. */
  register(accelerator: string, pressed: () => void): boolean;
  unregister(accelerator: string): void;
}

/**
 * What is proposed, the best first: Alt+N is the window's own, one key more from outside. No Ctrl+Alt on Windows and Linux: that is
 * AltGr, which types letters; no Option with a letter on macOS: that types one too.
 */
export const proposedKeys = (platform: NodeJS.Platform): readonly string[] =>
  platform === 'darwin'
    ? ['Command+Shift+N', 'Control+Shift+N', 'Control+Command+N', 'Control+Shift+F9']
    : ['Alt+Shift+N', 'Control+Shift+F9', 'Alt+Shift+F9', 'Control+Shift+F12'];

type Keys = DesktopView['keys'];
type Wanted = Pick<Settings, 'global_shortcut' | 'global_keys'>;

/** @param told what Settings shows. @returns gives the keys back and no longer hears of the setting */
export const keepShortcut = (
  host: Pick<HostDoor, 'call' | 'listen'>,
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
