/**
 * Properties of damaged queue items (failures A20). Whatever one field of one operation holds, in the window's database or in the
 * journal, the other records are delivered once each, and the damaged one is delivered, still queued, or quarantined with all
 * its data. Scripted host, real IndexedDB.
 */
import { Dexie } from 'dexie';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JournalOperation } from '../../../src/contract/host.ts';
import type { OutboxOperation } from '../../../src/renderer/data/db/db.ts';
import { ScriptedHost } from '../../support/renderer-host.ts';
import { capture, until, windowPerTest, windows } from '../../support/renderer-window.ts';

windowPerTest();

const RUNS = 25;
const TEXTS = ['First', 'Second', 'Third'];

/** Possible damage: every JSON type, near misses of the right type, and undefined. */
const anything = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, '', 0, -1, 1.5, Number.NaN, true, [], {}, 'parked'),
  fc.constantFrom<unknown>('sending', 'near_miss.delete', 'near_miss.teleport', 2, 99, 2 ** 53),
  fc.string({ maxLength: 20 }),
  fc.jsonValue({ maxDepth: 2 }),
);

const entryFields = [
  'seq',
  'account',
  'kind',
  'version',
  'lane',
  'created_at',
  'payload',
  'journaled',
  'state',
  'attempts',
  'consecutive_failures',
  'next_try_at',
  'last_problem',
  'checkpoint',
] as const;

/** Queues three records without sending; returns their operation ids. */
const queue = async (host: ScriptedHost): Promise<string[]> => {
  host.up = false;
  const window = await windows.start(host);
  for (const text of TEXTS) await capture(window, text);
  const ids = (await window.db.operations.orderBy('id').toArray()).map((operation) => operation.id);
  await window.stop();
  return ids;
};

const textsOn = (host: ScriptedHost): string[] =>
  [...host.near_misses.values()].map(({ description }) =>
    (description ?? '').replaceAll(/<\/?p>/g, ''),
  );

/** Starts the window on the damage: the other records arrive, nothing is duplicated, nothing is lost. */
const goesOn = async (host: ScriptedHost, damaged: number): Promise<void> => {
  host.up = true;
  const window = await windows.start(host);
  const others = TEXTS.filter((_, at) => at !== damaged);
  await until('the others are there', () => others.every((text) => textsOn(host).includes(text)));
  const kept = async (): Promise<boolean> =>
    textsOn(host).includes(TEXTS[damaged] ?? '') ||
    (await window.db.quarantine.count()) > 0 ||
    (await window.db.operations.count()) > 0 ||
    // A payload that is valid but different is sent as it is.
    host.near_misses.size === TEXTS.length;
  await until('the damaged one is there, queued or set aside', kept);
  const texts = textsOn(host);
  expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([]);
  expect(texts.length).toBeLessThanOrEqual(TEXTS.length);
};

it('A20 (property): any field of a queued row becomes anything: the queue goes on, nothing lost, nothing doubled', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: TEXTS.length - 1 }),
      fc.constantFrom(...entryFields),
      anything,
      async (at, field, value) => {
        const host = new ScriptedHost();
        try {
          const ids = await queue(host);
          const raw = new Dexie(windows.db_name);
          await raw.open();
          const operation = (await raw.table('operations').get(ids[at] ?? '')) as OutboxOperation;
          const harmed: Record<string, unknown> = { ...operation, [field]: value };
          if (value === undefined) delete harmed[field];
          await raw.table('operations').put(harmed);
          raw.close();
          await goesOn(host, at);
        } finally {
          await windows.clean();
        }
      },
    ),
    { numRuns: RUNS },
  );
}, 300_000);

const lineChange = fc.oneof(
  fc.record({ kind: fc.string({ minLength: 1, maxLength: 30 }) }),
  fc.record({ version: fc.integer({ min: 1, max: 99 }) }),
  fc.record({ payload: fc.jsonValue({ maxDepth: 2 }) }),
  fc.record({ record: fc.jsonValue({ maxDepth: 2 }) }),
  fc.record({ lane: fc.string({ minLength: 1, maxLength: 30 }) }),
  fc.record({ created_at: fc.double({ noNaN: true, noDefaultInfinity: true }) }),
);

it('A20 (property): any part of a journal line becomes anything, and IndexedDB is lost: the queue goes on', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: TEXTS.length - 1 }), lineChange, async (at, change) => {
      const host = new ScriptedHost();
      try {
        const ids = await queue(host);
        await Dexie.delete(windows.db_name);
        const line = host.journal.get(ids[at] ?? '');
        if (line === undefined) throw new Error('not in the journal');
        host.journal.set(line.id, { ...line, ...change } as JournalOperation);
        await goesOn(host, at);
      } finally {
        await windows.clean();
      }
    }),
    { numRuns: RUNS },
  );
}, 300_000);
