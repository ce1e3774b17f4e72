/**
 * The system's keys for a new near miss, while another program is in front: registered as long as the setting says so. Thin
 * and typed by the slices it uses, so that a test runs it without Electron; the window does what the event asks.
 */
import type { HostDoor } from '../contract/carrier.ts';
import { hostMethods } from '../contract/host.ts';
import type { Settings } from '../contract/settings.ts';

/** Of Electron's globalShortcut. */
export interface ShortcutSide {
  /** False where another program has these keys. */
  register(accelerator: string, pressed: () => void): boolean;
  unregister(accelerator: string): void;
}

/** Alt+N within the window, one key more from outside. No Ctrl+Alt: that is AltGr, which types letters. */
export const CAPTURE_KEYS = 'Alt+Shift+N';

/** @returns gives the keys back and no longer hears of the setting */
export const keepShortcut = (
  host: Pick<HostDoor, 'call' | 'listen'>,
  shortcuts: ShortcutSide,
  pressed: () => void,
  note: (text: string) => void,
): (() => void) => {
  let held = false;
  let over = false;
  const follow = ({ global_shortcut }: Pick<Settings, 'global_shortcut'>): void => {
    if (over || global_shortcut === held) return;
    if (!global_shortcut) {
      shortcuts.unregister(CAPTURE_KEYS);
      held = false;
      return;
    }
    held = shortcuts.register(CAPTURE_KEYS, pressed);
    if (!held) note(`${CAPTURE_KEYS} belongs to another program`);
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
    if (held) shortcuts.unregister(CAPTURE_KEYS);
  };
};
