/** Contrast for use in sunlight: every text colour on every background it appears on, computed from tokens.css. */
import { describe, expect, it } from 'vitest';
import css from '../../../src/renderer/tokens.css?raw';

const block = (from: string): ReadonlyMap<string, string> => {
  const body = css.slice(css.indexOf(from)).split('}', 1)[0] ?? '';
  return new Map(
    [...body.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)].map((m) => [m[1] ?? '', m[2] ?? '']),
  );
};
const light = block(':root');
const dark = new Map([...light, ...block("[data-theme='dark']")]);

const luminance = (hex: string): number => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a: string, b: string): number => {
  const [x, y] = [luminance(a), luminance(b)].sort((m, n) => n - m);
  return ((x ?? 0) + 0.05) / ((y ?? 0) + 0.05);
};

const pages = ['paper', 'card', 'sunk'];
const chosen = ['sel', 'hover'];
const grounds = [...pages, ...chosen];
const states = ['info-soft', 'wait-soft', 'bad-soft', 'ok-soft'];
const severities = ['sev-1', 'sev-2', 'sev-3'];
const text: readonly (readonly [string, readonly string[]])[] = [
  ['ink', [...grounds, ...states, ...severities.map((one) => `${one}-soft`)]],
  ['ink-2', [...grounds, ...states]],
  ['ink-3', grounds],
  ['ok', ['ok-soft', ...grounds]],
  ['wait', ['wait-soft', ...grounds]],
  ['bad', ['bad-soft', ...grounds]],
  ['info', ['info-soft', ...pages]],
  ...severities.map((one) => [`${one}-ink`, [`${one}-soft`, ...grounds]] as const),
  ['spot-ink', ['spot', 'spot-2']],
  ['slab-ink', ['slab']],
];
/** Figures on the heat, and what is pressed or focused. */
const figures: readonly (readonly [string, readonly string[]])[] = [
  ['heat-ink', ['heat-1', 'heat-2', 'heat-3']],
  ['heat-ink-2', ['heat-4', 'heat-5']],
  ['edge', [...pages, 'hover']],
  ['spot', pages],
  ['focus', grounds],
];
/** The edge of a text box and the bars of a chart. */
const shapes: readonly (readonly [string, readonly string[]])[] = [
  ['field', pages.filter((one) => one !== 'sunk')],
  ['data', pages],
];
const pairs = (table: typeof text) =>
  table.flatMap(([fg, bgs]) => bgs.map((bg) => [fg, bg] as const));

describe.each([
  ['light', light],
  ['dark', dark],
] as const)('tokens, %s', (_theme, tokens) => {
  const color = (name: string): string => {
    const found = tokens.get(name);
    if (found === undefined) throw new Error(`tokens.css has no --${name}`);
    return found;
  };
  it.each(pairs(text))('text --%s on --%s is at least 7:1', (fg, bg) => {
    expect(contrast(color(fg), color(bg))).toBeGreaterThanOrEqual(7);
  });
  it.each(pairs(figures))('--%s on --%s is at least 4.5:1', (fg, bg) => {
    expect(contrast(color(fg), color(bg))).toBeGreaterThanOrEqual(4.5);
  });
  it.each(pairs(shapes))('--%s on --%s is at least 3:1', (fg, bg) => {
    expect(contrast(color(fg), color(bg))).toBeGreaterThanOrEqual(3);
  });
  it('lets more heat stand out more, step by step', () => {
    const steps = ['heat-1', 'heat-2', 'heat-3', 'heat-4', 'heat-5'].map((one) =>
      contrast(color(one), color('card')),
    );
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
  });
});
