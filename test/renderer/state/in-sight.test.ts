/**
 * Whether a person can see the window: as the page knows it, and as the shell reports it where the page cannot know. Real
 * Chromium.
 */
import { afterEach, expect, it, vi } from 'vitest';
import { isInSight, onSightChange, setInSight } from '../../../src/renderer/data/model/in-sight.ts';

afterEach(() => setInSight(true));

it('out of sight as the shell says, while the page itself says visible; told once for each change', () => {
  const heard = vi.fn<() => void>();
  const end = onSightChange(heard);
  expect(document.visibilityState).toBe('visible');
  expect(isInSight()).toBe(true);
  setInSight(false);
  setInSight(false);
  expect(isInSight()).toBe(false);
  expect(heard).toHaveBeenCalledTimes(1);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(heard).toHaveBeenCalledTimes(2);
  end();
  setInSight(true);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(heard).toHaveBeenCalledTimes(2);
});

it('who listens twice is told twice, and each ends by itself', () => {
  const heard = vi.fn<() => void>();
  const first = onSightChange(heard);
  const second = onSightChange(heard);
  first();
  setInSight(false);
  expect(heard).toHaveBeenCalledTimes(1);
  second();
});
