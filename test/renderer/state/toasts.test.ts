/** How long messages at the bottom of the window stay. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { toasts } from '../../../src/renderer/state/toasts.svelte.ts';

const HOUR = 3_600_000;
const shown = () => toasts.list.map(({ text }) => text);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  for (const { id } of toasts.list) toasts.dismiss(id);
  vi.useRealTimers();
});

it('a confirmation goes by itself after six seconds, and not under the pointer', () => {
  toasts.show('ok', 'Saved');
  vi.advanceTimersByTime(5_999);
  expect(shown()).toEqual(['Saved']);
  vi.advanceTimersByTime(1);
  expect(shown()).toEqual([]);
  toasts.show('ok', 'Deleted', { label: 'Undo', run: () => undefined });
  vi.advanceTimersByTime(5_999);
  toasts.hold(true);
  vi.advanceTimersByTime(HOUR);
  expect(shown()).toEqual(['Deleted']);
  toasts.hold(false);
  vi.advanceTimersByTime(6_000);
  expect(shown()).toEqual([]);
});

it('a confirmation goes by itself although the pointer was on the one before it, which is gone', () => {
  toasts.show('ok', 'Saved');
  toasts.hold(true);
  toasts.show('ok', 'Deleted');
  vi.advanceTimersByTime(6_000);
  expect(shown()).toEqual([]);
});

it('what went wrong, and what the start has to say, stay until they are closed or another is shown', () => {
  toasts.show('bad', 'The file could not be read.');
  vi.advanceTimersByTime(HOUR);
  expect(shown()).toEqual(['The file could not be read.']);
  toasts.hold(true);
  toasts.hold(false);
  vi.advanceTimersByTime(HOUR);
  expect(shown()).toEqual(['The file could not be read.']);
  toasts.keep('Three reports were brought back.');
  vi.advanceTimersByTime(HOUR);
  expect(shown()).toEqual(['Three reports were brought back.']);
  toasts.show('ok', 'Saved');
  vi.advanceTimersByTime(6_000);
  expect(shown()).toEqual([]);
});

it('A60: one goes with the screen it speaks of, once something else was pressed; what the start said stays', () => {
  toasts.show('ok', 'Saved on this laptop.', { label: 'Undo', run: () => undefined });
  // The window itself navigates to the saved report.
  toasts.leave();
  expect(shown()).toEqual(['Saved on this laptop.']);
  toasts.used();
  expect(shown()).toEqual(['Saved on this laptop.']);
  toasts.leave();
  expect(shown()).toEqual([]);
  toasts.keep('Three reports were brought back.');
  toasts.used();
  toasts.leave();
  expect(shown()).toEqual(['Three reports were brought back.']);
});
