/** The waiting screen's text for an item: steps in order, bytes, the last answer, the next attempt, possible actions. */
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../src/contract/problem.ts';
import type { QueuedOperation, QueueItem } from '../../../src/renderer/outbox/queue/queue.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { sayField } from '../../../src/renderer/near-miss-form/field-names.ts';
import { rolesOf } from '../../../src/renderer/near-miss-form/roles.ts';
import {
  lastAnswerOf,
  lineOf,
  movementOf,
  nextTryOf,
  stepsOf,
  todoOf,
  whyOf,
} from '../../../src/renderer/screens/waiting/item/item-text.ts';

const operation = (change: Partial<QueuedOperation>): QueuedOperation => ({
  id: 'e',
  kind: 'photo.send',
  state: 'waiting',
  attempts: 0,
  next_try_at: null,
  problem: null,
  step: null,
  photo: null,
  created_at: 0,
  can_take_back: false,
  about: '',
  ...change,
});
const photo = (n: number, size = 1_000_000) => ({ photo_id: `P${n}`, filename: `${n}.jpg`, size });
const item = (
  operations: readonly QueuedOperation[],
  change: Partial<QueueItem> = {},
): QueueItem => ({
  key: 'k',
  project_id: 1,
  title: 'T',
  full_number: '',
  state: 'waiting',
  missing: null,
  on_server: true,
  delivered_photos: 0,
  tm_entry: null,
  company: null,
  waits_for: null,
  needed_by: 0,
  bytes: operations.reduce((sum, one) => sum + (one.photo?.size ?? 0), 0),
  operations,
  ...change,
});
const fault: Problem = {
  kind: 'server_error',
  status: 500,
  messages: ['Disk full on the server'],
  retry_after_ms: null,
};
const gone: Problem = { kind: 'gone', status: 404, messages: [] };
const progress = {
  P2: { kind: 'photo.progress', photo_id: 'P2', step: 'sending', sent: 620_000, size: 1_000_000 },
} as const;

describe('the story of an item', () => {
  const rows = [1, 2, 3].map((n) => ({
    ...photo(n),
    state: n === 1 ? ('delivered' as const) : ('waiting' as const),
  }));
  const going = item(
    [
      operation({ id: 'b', photo: photo(2), state: 'sending', attempts: 1 }),
      operation({ id: 'c', photo: photo(3), step: 'uploaded', problem: fault, next_try_at: 5_000 }),
    ],
    { state: 'sending', delivered_photos: 1 },
  );

  it('tells every step in order, those done included, with the bytes sent of how many', () => {
    expect(
      stepsOf(going, rows, progress).map(({ name, word, note }) => [name, word, note]),
    ).toEqual([
      ['Text of the near miss', 'Sent', ''],
      ['Photo 1 of 3 · 1.jpg', 'Delivered', '1 MB'],
      ['Photo 2 of 3 · 2.jpg', 'Sending', '620 kB of 1 MB · Sending the photo'],
      [
        'Photo 3 of 3 · 3.jpg',
        'Waiting',
        'Uploaded, attaching. The server has a problem. The server says: “Disk full on the server”.',
      ],
    ]);
    expect(lineOf(going)).toBe('Report delivered · 1 of 3 photos delivered');
    expect(movementOf(going, progress)).toEqual({
      share: 0.81,
      text: '1.6 MB of 2 MB · Sending the photo',
    });
  });

  it('tells the last answer and the next try of what waits, and nothing of what does not', () => {
    expect(lastAnswerOf(going)).toBe('Last try: The server has a problem.');
    // The reason for the hold is shown above all items; an item's earlier answer would contradict or repeat it.
    expect(lastAnswerOf(going, true)).toBeNull();
    expect(nextTryOf(going)).toBe(5_000);
    const fresh = item([operation({ kind: 'near_miss.create' })], { on_server: false });
    expect(lastAnswerOf(fresh)).toBeNull();
    expect(nextTryOf(fresh)).toBeNull();
    expect(lineOf(fresh)).toBe('Report saved');
  });

  it('never says that it tries again by itself where it does not, and fits what was to be done', () => {
    const refused: Problem = { kind: 'refused', status: 422, messages: ['too long'], fields: {} };
    const parked = operation({ state: 'parked', problem: refused, photo: photo(1) });
    expect(todoOf(parked, refused, null)).not.toContain('will try again');
    // A retryable failure is never parked; meanwhile the text says that it will retry.
    expect(todoOf(operation({ problem: fault }), fault, null)).toContain('will try again');
    const create = operation({ kind: 'near_miss.create', state: 'parked', problem: gone });
    expect(whyOf(create, 'gone')).toContain('not on the server');
    const update = operation({ kind: 'near_miss.update', state: 'parked', problem: gone });
    expect(whyOf(update, 'recycled')).toContain('recycle bin');
    expect(todoOf(update, gone, 'gone')).toContain('new report');
    expect(whyOf(operation({ state: 'parked' }), null)).toContain('You put this on hold');
  });

  it('failures A10: fields that the server names are called as in the form, in the line and in the step', () => {
    const field = { options: [], required: false };
    const definitions = [
      { ...field, id: 2, label: 'Location', data_type: 'string' as const },
      { ...field, id: 7, label: 'Weather', data_type: 'select' as const },
    ];
    const nameOf = sayField(definitions, rolesOf(definitions));
    const fields = {
      'near_miss.custom_field_2': ['is too long'],
      'near_miss.custom_field_7': ['is unknown'],
      'near_miss.description': ['is empty'],
    };
    const problem: Problem = { kind: 'refused', status: 422, messages: [], fields };
    const of = item([operation({ kind: 'near_miss.create', state: 'parked', problem })], {
      state: 'parked',
    });
    const said =
      'The server says: Where “is too long”; Weather “is unknown”; What happened “is empty”.';
    expect(lineOf(of, nameOf)).toBe(said);
    expect(stepsOf(of, [], {}, nameOf)[0]?.note).toBe(said);
    const bad: Problem = { kind: 'bad_input', messages: [], fields };
    expect(whyOf(operation({ state: 'parked', problem: bad }), null, nameOf)).toContain(
      'Check: Where, Weather and What happened',
    );
  });

  it('a company’s own records: each kind once in a line, each by name in a step, and who may do what is forbidden', () => {
    const forbidden: Problem = { kind: 'refused', status: 403, messages: [], fields: {} };
    const parked = operation({
      id: 'a',
      kind: 'insurance.update',
      about: 'Zurich',
      state: 'parked',
      problem: forbidden,
    });
    const rest = [
      operation({ id: 'b', kind: 'insurance.sync', about: 'list.csv' }),
      operation({ id: 'c', kind: 'insurance.update', about: 'Axa' }),
    ];
    const company = { kind: 'insurances', project_id: 1, vendor_id: 7 } as const;
    const of = item([parked, ...rest], { company, state: 'parked' });
    expect(lineOf(of)).toContain(words.problem.forbidden);
    expect(lineOf(item(rest, { company }))).toBe('Policies from a file · Policy changed');
    expect(lineOf(item([...rest, ...rest], { company }))).toContain('Policy changed (2)');
    expect(stepsOf(of, [], {}).map(({ name, word }) => [name, word])).toEqual([
      ['Policy changed: Zurich', 'Needs attention'],
      ['Policies from a file: list.csv', 'Waiting'],
      ['Policy changed: Axa', 'Waiting'],
    ]);
    for (const kind of ['insurance.sync', 'membership.bulk_add', 'hook.create', 'trigger.delete'])
      expect(todoOf(operation({ kind, state: 'parked' }), forbidden, null)).toContain('Ask your');
    const disputed: Problem = { kind: 'conflict', status: 409, messages: [] };
    expect(todoOf(parked, disputed, null)).toContain('Compare both versions');
    expect(whyOf(operation({ kind: 'hook.update' }), null)).not.toBe('');
  });
});
