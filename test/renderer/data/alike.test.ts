/**
 * The list on this laptop answers as the server does (decisions §2.3, §2.4). Random filters, texts and orders over the demo
 * company's data are asked of the real service and of the cached records, and the ids compared.
 */
import { Dexie } from 'dexie';
import fc from 'fast-check';
import { ulid } from 'ulid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  lookupFields,
  shownName,
  textFields,
} from '../../../src/contract/rest/near-miss-fields.ts';
import { nearMissSortFields, type NearMiss } from '../../../src/contract/rest/near-misses.ts';
import { fold } from '../../../src/contract/text/fold.ts';
import type { NearMissRow } from '../../../src/renderer/data/db/db.ts';
import { createColumns, type Columns } from '../../../src/renderer/data/index/near-miss-columns.ts';
import { indexOf } from '../../../src/renderer/data/index/near-miss-index.ts';
import {
  askedForAll,
  idFields,
  noOwnFilters,
  singleFields,
  toApi,
  type Asked,
} from '../../../src/renderer/data/model/near-miss-query.ts';
import { holdsTerm } from '../../../src/renderer/data/model/search-terms.ts';
import {
  deleteNearMiss,
  editNearMiss,
} from '../../../src/renderer/data/near-misses/near-misses.ts';
import { refreshNearMisses } from '../../../src/renderer/data/near-misses/refresh.ts';
import { history } from '../../../src/renderer/data/near-misses/history.ts';
import { type StartedWindow, startWindow } from '../../../src/renderer/outbox/start.ts';
import { type RealWorld, realWorld } from '../../support/renderer-real.ts';
import { until } from '../../support/renderer-window.ts';
import { slow } from '../../support/slow.ts';

let world: RealWorld;
let window: StartedWindow;
let columns: Columns;
let rows: readonly NearMissRow[];
const db_name = `alike-${ulid()}`;
const scope = () => ({
  account: world.session.account ?? '',
  company_id: world.session.company?.id ?? 0,
  project_id: world.session.project?.id ?? 0,
});

beforeAll(async () => {
  world = await realWorld();
  const answer = await startWindow(world.host, {
    history,
    db_name,
    engine: { lock_name: db_name, random: () => 0 },
  });
  if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
  window = answer.value;
  await refreshNearMisses(window, scope());
  // Fills the bin, and adds texts with foldable characters and pattern characters.
  const keys = await window.db.near_misses.limit(60).primaryKeys();
  const texts = ['Tørre Öl 100 % _ \\ Straße', 'İstanbul ΣΊΣΥΦΟΣ', 'Café crane &amp; "sling"'];
  for (const [at, text] of texts.entries())
    await editNearMiss(window, keys[at] ?? '', { description: `<p>${text}</p>` });
  for (const key of keys.slice(1, 40)) await deleteNearMiss(window, key);
  window.engine.wake();
  await until('nothing waits', async () => (await window.db.operations.count()) === 0);
  await refreshNearMisses(window, scope(), { whole: true });
  rows = await window.db.near_misses.toArray();
  columns = createColumns();
  for (const row of rows) columns.put(row);
}, 300_000);
afterAll(async () => {
  await window.stop();
  await Dexie.delete(db_name);
  await world.stop();
});

const onServer = async (asked: Asked): Promise<readonly number[]> => {
  const name = asked.bin === 0 ? 'near_misses.list' : 'recycled_near_misses.list';
  const { project_id } = scope();
  const query = { ...toApi(asked), per_page: 1000 };
  const answer = await world.host.request(name, { params: { project_id }, query });
  if (!answer.ok) throw new Error(JSON.stringify({ asked, problem: answer.problem }));
  return (answer.value.data as NearMiss[]).map((one) => one.id);
};
const here = (asked: Asked): readonly (number | null)[] =>
  columns.ask(asked).found.map((one) => one.server_id);

/** True if a text that the API searches (decisions §2.4) contains the query. */
const searchedByApi = (id: number | null, query: string): boolean => {
  const row = rows.find((one) => one.server_id === id);
  if (row === undefined) throw new Error(`no record ${id}`);
  const texts = [
    row.server?.description_plain_text ?? '',
    row.names.incident,
    row.full_number,
    String(row.server?.number ?? ''),
    ...lookupFields.map((name) => row.names[shownName(name)]),
    ...textFields.map((name) => row.fields[name] ?? ''),
  ];
  return texts.some((text) => holdsTerm(fold(text), fold(query.trim())));
};

/** A query as a person could build it on the screen. */
const questions = (): fc.Arbitrary<Asked> => {
  const ids = (field: (typeof idFields)[number]) => {
    const used = [...new Set(rows.map((row) => row.fields[field] ?? 0))].filter((id) => id > 0);
    const many = fc.uniqueArray(fc.constantFrom(...used), {
      minLength: 1,
      maxLength: singleFields.has(field) ? 1 : 3,
    });
    return fc.option(many, { nil: [], freq: 4 });
  };
  const days = [...new Set(rows.map((row) => new Date(row.created_at).setUTCHours(0, 0, 0, 0)))];
  const day = fc.option(fc.constantFrom(...days), { nil: null });
  const piece = fc
    .tuple(fc.constantFrom(...rows), fc.nat(200), fc.integer({ min: 1, max: 12 }), fc.boolean())
    .map(([row, from, length, upper]) => {
      const text = `${row.server?.description_plain_text ?? ''} ${row.names.harm_source}`;
      const at = from % Math.max(1, text.length - length);
      const cut = text.slice(at, at + length).trim();
      return upper ? cut.toUpperCase() : cut;
    })
    .filter((text) => !text.includes('\n'));
  const sorts = nearMissSortFields.flatMap((field) => [field, `-${field}` as const]);
  return fc.record({
    bin: fc.constantFrom<0 | 1>(0, 1),
    query: fc.option(fc.oneof(piece, fc.constantFrom('%', '_', '\\', '12', '1-1', 'a', 'crane')), {
      nil: '',
      freq: 2,
    }),
    ids: fc.record(Object.fromEntries(idFields.map((field) => [field, ids(field)]))),
    created_at: fc.option(
      fc
        .tuple(day, day)
        .map(([a, b]) => ({ from: a, to: b === null ? null : Math.max(b, a ?? b) + 86_399_999 })),
      { nil: null, freq: 2 },
    ),
    own: fc.constant(noOwnFilters),
    sort: fc.option(fc.constantFrom(...sorts), { nil: null }),
  });
};

describe('the list of this laptop and the list of the server', () => {
  slow(
    'decisions §2.3: every order in both directions gives the same ids in the same places, in the list and in the bin',
    async () => {
      for (const bin of [0, 1] as const)
        for (const field of [null, ...nearMissSortFields])
          for (const sort of field === null ? [null] : ([field, `-${field}`] as const)) {
            const asked = { ...askedForAll, bin, sort };
            expect(here(asked), `${sort} ${bin}`).toEqual(await onServer(asked));
          }
    },
  );

  slow(
    'decisions §2.4: whatever is filtered, searched and sorted together gives the same ids',
    async () => {
      await fc.assert(
        fc.asyncProperty(questions(), async (asked) => {
          const [ours, theirs] = [here(asked), await onServer(asked)];
          const { loose } = columns.ask(asked);
          // Loose matches are offered only if nothing matches the exact text.
          if (loose) expect(theirs).toEqual([]);
          // This laptop also searches the reporter and the custom fields, which the API does not.
          else expect(ours.filter((id) => searchedByApi(id, asked.query))).toEqual(theirs);
        }),
        { numRuns: 150 },
      );
    },
  );

  it('decisions §2.4: values in use are counted as the server counts them', async () => {
    const facets = columns.facets({ ...askedForAll, query: 'a' });
    for (const field of idFields)
      for (const { id, count } of facets[field].slice(0, 2)) {
        const asked = { ...askedForAll, query: 'a', ids: { [field]: [id] } };
        expect((await onServer(asked)).length, `${field} ${id}`).toBe(count);
      }
  });

  it('accents are ignored beside case; words in any order are offered where nothing has them together', () => {
    const titles = (query: string) =>
      columns
        .ask({ ...askedForAll, bin: query.startsWith('istanbul') ? 1 : 0, query })
        .found.map((one) => rows.find((row) => row.key === one.key)?.title);
    expect(titles('torre ol 100 % _ \\ strasse')).toEqual(['Tørre Öl 100 % _ \\ Straße']);
    expect(titles('ol torre')).toEqual(['Tørre Öl 100 % _ \\ Straße']);
    expect(columns.ask({ ...askedForAll, query: 'ol torre' }).loose).toBe(true);
    expect(titles('istanbul σίσυφος')).toEqual(['İstanbul ΣΊΣΥΦΟΣ']);
  });

  it('the index in its worker answers the same, hears a change and a removal, and pages', async () => {
    const index = indexOf(window.db, scope());
    const asked = { ...askedForAll, query: 'crane', sort: 'harm_source' as const };
    const ask = async (query: Asked) => {
      const answer = await index.ask(query, 'all', false, { from: 0, to: 3 });
      if (answer === null) throw new Error('another question came before');
      return answer;
    };
    expect(index.ready).toBe(false);
    await until('all is read', async () => (await ask(asked)).ready);
    expect(index.ready).toBe(true);
    const keysOf = async (query: Asked) => {
      const { of, total } = await ask(query);
      const parts = [await index.keys(of, 0, 5), await index.keys(of, 5, total)];
      return parts.flatMap((part) => part ?? []);
    };
    const expected = columns.ask(asked).found.map((one) => one.key);
    expect(expected.length).toBeGreaterThan(5);
    expect(await keysOf(asked)).toEqual(expected);
    // The answer includes the first rows. Of queries that come faster than answers, only the last counts.
    expect((await ask(asked)).keys).toEqual(expected.slice(0, 3));
    const typed = ['c', 'cr', 'cra', 'cran', 'crane'].map((query) => ask({ ...asked, query }));
    const answers = await Promise.allSettled(typed);
    expect(answers.filter((one) => one.status === 'rejected').length).toBeGreaterThan(0);
    expect(answers.at(-1)).toMatchObject({ value: { total: expected.length } });
    const changed = expected[3] ?? '';
    await editNearMiss(window, changed, { description: '<p>Nothing of that</p>' });
    const found = { ...asked, query: 'nothing of that' };
    await until('the change is heard', async () => (await keysOf(found)).includes(changed));
    await deleteNearMiss(window, changed);
    const bin = { ...found, bin: 1 as const };
    await until('it moved to the bin', async () => (await keysOf(bin)).includes(changed));
    expect(await keysOf(found)).toEqual([]);
    const { of } = await ask(asked);
    expect(await index.place(of, expected[0] ?? '')).toBe(0);
    await window.db.near_misses.delete(expected[0] ?? '');
    await until(
      'the removal is heard',
      async () => !(await keysOf(asked)).includes(expected[0] ?? ''),
    );
    index.stop();
  });
});
