/** The date and time box while typing, key by key, in a real browser. */
import { flushSync, mount, unmount } from 'svelte';
import { createSubscriber } from 'svelte/reactivity';
import { expect, it, onTestFinished } from 'vitest';
import DateBox from '../../../src/renderer/screens/common/DateBox.svelte';
import { isDayValue } from '../../../src/renderer/near-miss-form/typed-day.ts';
import { words } from '../../../src/renderer/words/words.ts';

interface Shown {
  readonly value: string;
  readonly typed: string;
  readonly type: (text: string) => void;
  readonly leave: () => void;
}

/** The box over a value that its owner stores through `keep`. */
const boxOf = (value: string, with_time: boolean, keep = (said: string): string => said): Shown => {
  let update = (): void => {};
  const subscribe = createSubscriber((told) => {
    update = told;
  });
  const target = document.body.appendChild(document.createElement('div'));
  const box = mount(DateBox, {
    target,
    props: {
      ids: { id: 'day', describedby: undefined, invalid: undefined },
      label: 'When',
      with_time,
      get value() {
        subscribe();
        return value;
      },
      onchange: (said: string) => {
        value = keep(said);
        update();
      },
    },
  });
  flushSync();
  onTestFinished(async () => {
    await unmount(box);
    target.remove();
  });
  const input = target.querySelector<HTMLInputElement>('#day');
  if (input === null) throw new Error('there is no box');
  return {
    get value() {
      return value;
    },
    get typed() {
      return input.value;
    },
    type: (text) => {
      let whole = '';
      for (const [at, sign] of [...text].entries()) {
        // The first key replaces the selection; later keys append.
        whole = (at === 0 ? '' : input.value) + sign;
        input.value = whole;
        input.dispatchEvent(new InputEvent('input', { bubbles: true }));
        flushSync();
      }
    },
    leave: () => {
      input.dispatchEvent(new FocusEvent('blur'));
      flushSync();
    },
  };
};

it('keeps the time where only a day is typed over it, and the day where only a time is', () => {
  const box = boxOf('2026-11-20T14:32', true);
  box.type('21/11/2026');
  box.leave();
  expect(box.value).toBe('2026-11-21T14:32');
  box.type('9:10');
  box.leave();
  expect(box.value).toBe('2026-11-21T09:10');
  expect(box.typed).toBe(words.format.moment(Date.parse('2026-11-21T09:10')));
});

it('takes every key over a day, where its owner keeps no text that is no day', () => {
  const box = boxOf('2026-11-20', false, (said) => (isDayValue(said, false) ? said : ''));
  box.type('21/10/2026');
  expect(box.typed).toBe('21/10/2026');
  box.leave();
  expect(box.value).toBe('2026-10-21');
});

it('shows a day that no calendar has as it was typed, and takes it for none', () => {
  const box = boxOf('', true);
  box.type('2026-02-30T10:00');
  box.leave();
  expect(box.typed).toBe('2026-02-30T10:00');
  expect(isDayValue(box.value, true)).toBe(false);
  expect(document.body.textContent).toContain(words.dates.unreadable_time);
  // Shown again, for example from a draft.
  expect(boxOf('2026-13-45', false).typed).toBe('2026-13-45');
});
