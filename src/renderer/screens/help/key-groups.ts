/** All shortcuts by screen. List a key only if a handler takes it; the comments name the handlers. */
import { words } from '../../words/company-words.ts';

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
  const t = words.key_list;
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
