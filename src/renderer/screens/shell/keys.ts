/**
 * The frame's shortcuts, and the list of all shortcuts for the help. List a key only if a handler takes it; the comments
 * name the handlers. `Ctrl` includes the Mac's Command, which every handler accepts.
 */
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

/** Keys pressed together, in display order. */
type Chord = readonly string[];
export interface KeyLine {
  readonly what: string;
  /** Alternatives. */
  readonly chords: readonly Chord[];
}
interface KeyGroup {
  readonly title: string;
  readonly lines: readonly KeyLine[];
}

const line = (what: string, ...chords: readonly Chord[]): KeyLine => ({ what, chords });

export const keyGroups = (desktop: boolean): readonly KeyGroup[] => {
  const t = words.keys;
  const tools = Object.values(words.markup.keys).map((letter) => [letter]);
  return [
    {
      title: t.anywhere,
      lines: [
        line(t.find, ['/'], ['Ctrl', 'K']),
        line(t.these, ['?']),
        line(t.new_near_miss, ['Alt', 'N']),
        line(t.print, ['Ctrl', 'P']),
        line(t.close, ['Esc']),
      ],
    },
    // main/system/menu.ts
    ...(desktop
      ? [
          {
            title: t.app,
            lines: [
              line(t.new_near_miss, ['Ctrl', 'N']),
              line(t.search, ['Ctrl', 'F']),
              line(t.near_misses, ['Ctrl', '1']),
              line(t.waiting, ['Ctrl', '2']),
              line(t.settings, ['Ctrl', ',']),
            ],
          },
        ]
      : []),
    // near-misses/list/Rows.svelte
    {
      title: t.list,
      lines: [
        line(t.move, ['↑'], ['↓']),
        line(t.page, ['Page Up'], ['Page Down']),
        line(t.ends, ['Home'], ['End']),
        line(t.open, ['Enter']),
        line(t.select, ['Space']),
        line(t.stretch, ['Shift', '↑'], ['Shift', '↓']),
        line(t.all, ['Ctrl', 'A']),
        line(t.unselect, ['Esc']),
      ],
    },
    // capture/Form.svelte, DateBox.svelte, capture/fields/RiskMatrix.svelte
    {
      title: t.form,
      lines: [
        line(t.save, ['Ctrl', 'Enter']),
        line(t.paste, ['Ctrl', 'V']),
        line(t.calendar, ['Alt', '↓']),
        line(t.matrix, ['←'], ['→'], ['↑'], ['↓']),
      ],
    },
    // insights/WeekChart.svelte, insights/HeatMap.svelte
    {
      title: t.charts,
      lines: [
        line(t.week, ['←'], ['→']),
        line(t.weeks, ['Page Up'], ['Page Down']),
        line(t.square, ['←'], ['→'], ['↑'], ['↓']),
        line(t.in_list, ['Enter']),
      ],
    },
    // gallery/GalleryScreen.svelte, parts/photo/PhotoViewer.svelte
    {
      title: t.photos,
      lines: [
        line(t.tiles, ['←'], ['→'], ['↑'], ['↓']),
        line(t.turn, ['←'], ['→']),
        line(t.zoom, ['+'], ['−']),
        line(t.whole, ['0']),
      ],
    },
    // markup/keys.ts
    {
      title: t.markup,
      lines: [
        line(t.tool, ...tools),
        line(t.add, ['Enter']),
        line(t.shift, ['←'], ['→'], ['↑'], ['↓']),
        line(t.resize, ['Shift', '↑'], ['Shift', '↓']),
        line(t.fine, ['Alt', '↑'], ['Alt', '↓']),
        line(t.remove, ['Delete']),
        line(t.undo, ['Ctrl', 'Z']),
        line(t.redo, ['Ctrl', 'Shift', 'Z'], ['Ctrl', 'Y']),
        line(t.done, ['Ctrl', 'Enter']),
      ],
    },
  ];
};

const MAC: Readonly<Record<string, string>> = { Ctrl: '⌘', Alt: '⌥', Shift: '⇧' };

/** The key's label on the current keyboard. */
export const keyName = (key: string, mac: boolean): string =>
  (mac ? MAC[key] : undefined) ?? words.keys.names[key] ?? key;
