/** One scale of severity: the level by place in the catalog, and a sign and a bar that also read without colour. */
import { mount, tick, unmount } from 'svelte';
import { afterEach, describe, expect, it } from 'vitest';
import '../../../src/renderer/app.css';
import Severity from '../../../src/renderer/parts/Severity.svelte';
import { severityLevel, type SeverityLevel } from '../../../src/renderer/parts/severity.ts';

let running: ReturnType<typeof mount> | undefined;
const show = async (props: {
  level: SeverityLevel | null;
  word?: string;
  form?: 'word' | 'sign' | 'bar';
}): Promise<HTMLElement> => {
  const row = document.createElement('div');
  row.style.cssText = 'position: relative; height: 60px';
  document.body.append(row);
  running = mount(Severity, { target: row, props });
  await tick();
  return row;
};

afterEach(async () => {
  if (running) await unmount(running);
  running = undefined;
  document.body.replaceChildren();
});

describe('the level of an option', () => {
  const five = ['Slight', 'Minor', 'Serious', 'Major', 'Fatal'];
  it.each([
    ['Slight', 1],
    ['Minor', 2],
    ['Serious', 2],
    ['Major', 2],
    ['Fatal', 3],
  ] as const)('of five: %s is %i', (option, level) => {
    expect(severityLevel(option, five)).toBe(level);
  });
  it('takes the last of two as the worst, and a single one too', () => {
    expect(severityLevel('Low', ['Low', 'High'])).toBe(1);
    expect(severityLevel('High', ['Low', 'High'])).toBe(3);
    expect(severityLevel('Reportable', ['Reportable'])).toBe(3);
  });
  it('has no level without a severity, or for an option that the catalog no longer has', () => {
    expect(severityLevel(null, five)).toBeNull();
    expect(severityLevel(undefined, five)).toBeNull();
    expect(severityLevel('', five)).toBeNull();
    expect(severityLevel('Gone', five)).toBeNull();
    expect(severityLevel('Gone', [])).toBeNull();
  });
});

describe('the part', () => {
  it('gives each level another shape beside the word', async () => {
    const shapes = new Set<string>();
    for (const level of [1, 2, 3] as const) {
      const row = await show({ level, word: 'Word' });
      expect(row).toHaveTextContent('Word');
      const svg = row.querySelector('svg');
      expect(svg?.getAttribute('aria-hidden')).toBe('true');
      shapes.add(svg?.innerHTML ?? '');
    }
    expect(shapes.size).toBe(3);
  });
  it('fills a third, two thirds and all of the bar, from the bottom', async () => {
    const heights: number[] = [];
    for (const level of [1, 2, 3] as const) {
      const row = await show({ level, form: 'bar' });
      const bar = row.querySelector('.bar') ?? row;
      const fill = getComputedStyle(bar, '::before');
      heights.push(Number.parseFloat(fill.height) / bar.getBoundingClientRect().height);
      expect(Number.parseFloat(fill.bottom)).toBe(0);
    }
    expect(heights.map((one) => Math.round(one * 3))).toEqual([1, 2, 3]);
  });
  it('says the word of a bar to screen readers only', async () => {
    const row = await show({ level: 3, form: 'bar', word: 'Could have killed' });
    expect(row).toHaveTextContent('Could have killed');
    expect(row.querySelector('.sr')?.getBoundingClientRect().width).toBeLessThanOrEqual(1);
  });
  it('shows no bar and no sign without a level, but keeps a word that the catalog lost', async () => {
    expect((await show({ level: null, form: 'bar', word: 'Gone' })).textContent).toBe('');
    expect((await show({ level: null, form: 'sign' })).textContent).toBe('');
    const row = await show({ level: null, word: 'Gone' });
    expect(row).toHaveTextContent('Gone');
    expect(row.querySelector('svg')).toBeNull();
  });
});
