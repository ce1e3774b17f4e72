/** The frame's shortcuts. help/key-groups.ts lists all of them. `Ctrl` includes the Mac's Command, which every handler accepts. */
import { words } from '../../words/words.ts';

type Wanted = 'new' | 'find' | 'print' | 'help';

const BUTTONS: ReadonlySet<string> = new Set(['checkbox', 'radio', 'button', 'submit', 'range']);

/** True if a letter pressed here enters text. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement
    ? !BUTTONS.has(target.type)
    : target instanceof HTMLElement &&
      (target.isContentEditable || target.matches('textarea, select'));

/** Dialogs and menus handle their own keys. */
const isCovered = (): boolean =>
  document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;

/** The frame's command for a key; null if the frame ignores the key. */
export const wantedBy = (event: KeyboardEvent): Wanted | null => {
  const { key, code, altKey, ctrlKey, metaKey } = event;
  if (event.defaultPrevented || event.isComposing) return null;
  const command = ctrlKey || metaKey;
  // Alt+N, because browsers reserve Ctrl+N. Also matched by key code: with Option, macOS turns N into a dead key.
  if (altKey && !command && (code === 'KeyN' || key.toLowerCase() === 'n')) return 'new';
  if (altKey || isCovered()) return null;
  if (command && !event.shiftKey && key.toLowerCase() === 'k') return 'find';
  if (command && !event.shiftKey && key.toLowerCase() === 'p') return 'print';
  if (command || isTyping(event.target)) return null;
  if (key === '/') return 'find';
  return key === '?' ? 'help' : null;
};

const MAC: Readonly<Record<string, string>> = { Ctrl: '⌘', Alt: '⌥', Shift: '⇧' };

/** The key's label on the current keyboard. */
export const keyName = (key: string, mac: boolean): string =>
  (mac ? MAC[key] : undefined) ?? words.keys.names[key] ?? key;
