/**
 * The keys of the frame, and the list of every key there is, as the help shows it. A key is listed here only as some handler takes it:
 * those named in the comments. `Ctrl` stands for the Mac's Command too, which every handler takes.
 */
import { words } from '../../words/words.ts';

type Wanted = 'new' | 'find' | 'print' | 'help';

const BUTTONS: ReadonlySet<string> = new Set(['checkbox', 'radio', 'button', 'submit', 'range']);

/** Does a letter pressed here write? */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement
    ? !BUTTONS.has(target.type)
    : target instanceof HTMLElement &&
      (target.isContentEditable || target.matches('textarea, select'));

/** A dialog or a menu has keys of its own, and what is typed there is meant for it. */
const isCovered = (): boolean =>
  document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;

/** What a key asks the frame for; null: it is not the frame's. */
export const wantedBy = (event: KeyboardEvent): Wanted | null => {
  const { key, code, altKey, ctrlKey, metaKey } = event;
  if (event.defaultPrevented || event.isComposing) return null;
  const command = ctrlKey || metaKey;
  // Ctrl+N belongs to the browser in a browser window; Alt+N is free in both shells.
  // By the key's place too: with Option, macOS makes a dead key of it, whose letter is none.
  if (altKey && !command && (code === 'KeyN' || key.toLowerCase() === 'n')) return 'new';
  if (altKey || isCovered()) return null;
  if (command && !event.shiftKey && key.toLowerCase() === 'k') return 'find';
  if (command && !event.shiftKey && key.toLowerCase() === 'p') return 'print';
  if (command || isTyping(event.target)) return null;
  if (key === '/') return 'find';
  return key === '?' ? 'help' : null;
};

/** Keys pressed together, in the order they are shown. */
type Chord = readonly string[];
interface Line {
  readonly what: string;
  /** Any of them. */
  readonly chords: readonly Chord[];
}
interface KeyGroup {
  readonly title: string;
  readonly lines: readonly Line[];
}

const line = (what: string, ...chords: readonly Chord[]): Line => ({ what, chords });

/** What holds in this shell. */
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
    // main/menu.ts
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
    // near-misses/Rows.svelte
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
    // capture/Form.svelte, DateBox.svelte, capture/RiskMatrix.svelte
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
    // gallery/GalleryScreen.svelte, parts/PhotoViewer.svelte
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

/** As it stands on the keyboard in use. */
export const keyName = (key: string, mac: boolean): string =>
  (mac ? MAC[key] : undefined) ?? words.keys.names[key] ?? key;
