/** Drafts in the journal (failures A18): their lines give the same state in any order and with any repetition. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { ulid } from 'ulid';
import { expect, it, onTestFinished } from 'vitest';
import type { EndedDraft, JournalDraft } from '../../src/contract/host.ts';
import { openJournal } from '../../src/host/journal/journal.ts';
import { temporaryFolder } from './fixtures/folder.ts';
import { slow } from '../support/slow.ts';

const open = async (folder: string) => {
  const journal = await openJournal(folder, () => undefined);
  onTestFinished(() => journal.close());
  return journal;
};
const draft = (id: string, at: number, photos: readonly string[] = []): JournalDraft => ({
  id,
  at,
  account: 'here/1/2',
  draft: { id, fields: { description: `state ${at}` } },
  photos: photos.map((photo_id) => ({ photo_id, sha256: photo_id.toLowerCase() })),
});

it('A18: the newest state of a draft and its photos are there after a restart; its photos are named, and not when it ended', async () => {
  const folder = await temporaryFolder();
  let journal = await open(folder);
  const [one, two] = [ulid(), ulid()];
  await journal.keepDrafts([draft('a', 1, [one]), draft('b', 1)], []);
  await journal.keepDrafts([draft('a', 2, [one, two])], []);
  await journal.close();
  journal = await open(folder);
  expect(journal.drafts()).toEqual({
    drafts: [draft('b', 1), draft('a', 2, [one, two])],
    ended: [],
  });
  expect([one, two].map((id) => journal.names(id))).toEqual([true, true]);
  expect(journal.mentions(two.toLowerCase())).toBe(true);
  await journal.keepDrafts([draft('a', 3, [one])], []);
  expect([one, two].map((id) => journal.names(id))).toEqual([true, false]);
  await journal.keepDrafts([], [{ id: 'a', at: 3 }]);
  await journal.close();
  journal = await open(folder);
  expect(journal.drafts()).toEqual({ drafts: [draft('b', 1)], ended: [{ id: 'a', at: 3 }] });
  expect(journal.names(one)).toBe(false);
  // A late or repeated line has no effect.
  await journal.keepDrafts([draft('a', 3, [one])], []);
  expect(journal.drafts().drafts).toEqual([draft('b', 1)]);
  // A draft continued after its end was recorded counts as another draft.
  await journal.keepDrafts([draft('a', 4)], []);
  expect(journal.drafts().drafts).toEqual([draft('b', 1), draft('a', 4)]);
});

slow(
  'the same state again is no second line; a draft typed for an hour does not grow the file without end',
  async () => {
    const folder = await temporaryFolder();
    const journal = await open(folder);
    const size = async () => (await stat(join(folder, 'journal.log'))).size;
    await journal.keepDrafts([draft('a', 1)], []);
    const before = await size();
    await journal.keepDrafts([draft('a', 1)], []);
    await journal.keepDrafts([draft('a', 0)], []);
    expect(await size()).toBe(before);
    const words = 'x'.repeat(60_000);
    for (let at = 2; at < 402; at += 1)
      await journal.keepDrafts([{ ...draft('a', at), draft: { words } }], []);
    // 24 MB were written in total.
    expect(await size()).toBeLessThan(9 * 1024 * 1024);
    await journal.close();
    expect((await open(folder)).drafts().drafts).toEqual([
      { ...draft('a', 401), draft: { words } },
    ]);
  },
);

slow(
  'lines of several windows in any order, some of them twice, with a restart in between, add up to the same',
  async () => {
    const id = fc.constantFrom('a', 'b', 'edit-c');
    const line = fc.record({ id, at: fc.integer({ min: 1, max: 6 }), ends: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), fc.nat(12), async (lines, cut) => {
        const folder = await temporaryFolder();
        let journal = await open(folder);
        for (const [n, { id, at, ends }] of [...lines, ...lines.slice(0, cut)].entries()) {
          await journal.keepDrafts(ends ? [] : [draft(id, at)], ends ? [{ id, at }] : []);
          if (n !== cut) continue;
          await journal.close();
          journal = await open(folder);
        }
        const most = (of: readonly EndedDraft[], name: string) =>
          Math.max(0, ...of.filter((one) => one.id === name).map(({ at }) => at));
        for (const name of ['a', 'b', 'edit-c']) {
          const end = most(
            lines.filter(({ ends }) => ends),
            name,
          );
          const state = most(
            lines.filter(({ ends }) => !ends),
            name,
          );
          const kept = journal.drafts().drafts.find((one) => one.id === name);
          expect(kept?.at).toBe(state > end ? state : undefined);
        }
        await journal.close();
      }),
      { numRuns: 40 },
    );
  },
);

it('of operations that another window settled it can tell', async () => {
  const journal = await open(await temporaryFolder());
  const [settled, waits] = [ulid(), ulid()];
  const operation = {
    seq: 1,
    account: 'a',
    kind: 'k',
    version: 1,
    lane: 'l',
    created_at: 1,
    payload: {},
  };
  await journal.append([settled, waits].map((id) => ({ ...operation, id })));
  await journal.settle([settled], []);
  expect(journal.settled([settled, waits, ulid()])).toEqual([settled]);
});
