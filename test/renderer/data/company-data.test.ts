/**
 * Company data through the queue (decisions §11, §4.6), against the real host and service with the chaos proxy between them:
 * lost answers, restarted hosts and windows, a lost store, conflicts, a file refused by line. Everything is executed once.
 */
import { Dexie } from 'dexie';
import { ulid } from 'ulid';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { refreshCatalog } from '../../../src/renderer/data/db/catalog.ts';
import {
  addOwnData,
  changeOwnData,
  listOwnData,
  ownDataDispute,
  queueImport,
  refreshOwnData,
  tryImport,
  waitingImports,
} from '../../../src/renderer/data/company/company-records.ts';
import type { Incident } from '../../../src/contract/rest/incidents.ts';
import { openIncident } from '../../../src/renderer/data/near-misses/incidents.ts';
import { operationOf } from '../../../src/renderer/operations/operation.ts';
import { companyRecordCreateOperation } from '../../../src/renderer/outbox/handlers/company/company-record.ts';
import { incidentCreateOperation } from '../../../src/renderer/outbox/handlers/incident.ts';
import {
  queueCounts,
  queueItems,
  retryNow,
  cancelOperation,
} from '../../../src/renderer/outbox/queue/queue.ts';
import { history } from '../../../src/renderer/data/near-misses/history.ts';
import { type StartedWindow, startWindow } from '../../../src/renderer/outbox/start.ts';
import { serverSays } from '../../../src/renderer/words/problems.ts';
import { type RealWorld, realWorld } from '../../support/renderer-real.ts';
import { until } from '../../support/renderer-window.ts';
import { slow } from '../../support/slow.ts';

let world: RealWorld;
let db_name: string;
let open: StartedWindow[] = [];
beforeEach(async () => {
  world = await realWorld();
  db_name = `company-data-${ulid()}`;
});
afterEach(async () => {
  for (const window of open) await window.stop();
  open = [];
  await Dexie.delete(db_name);
  await world.stop();
});

const start = async (): Promise<StartedWindow> => {
  const engine = { lock_name: `outbox-${db_name}`, random: () => 0 };
  const answer = await startWindow(world.host, { history, db_name, engine });
  if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
  open.push(answer.value);
  return answer.value;
};
const must = <T>(answer: { ok: true; value: T } | { ok: false; problem: unknown }): T => {
  if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
  return answer.value;
};
const scope = () => ({
  account: world.session.account ?? '',
  company_id: world.session.company?.id ?? 0,
  project_id: world.session.project?.id ?? 0,
});
const vendors = () => ({ ...scope(), of: 'vendors' as const });
const incidents = () => ({ ...scope(), of: 'incidents' as const });
const company_id = () => scope().company_id;
const empty = (window: StartedWindow) =>
  until('nothing waits', async () => (await queueCounts(window, scope().account)).operations === 0);
const parked = (window: StartedWindow) =>
  until(
    'one needs a person',
    async () => (await queueCounts(window, scope().account)).parked === 1,
  );
const named = async (window: StartedWindow, name: string) => {
  const found = (await listOwnData(window, vendors())).filter((one) => one.fields['name'] === name);
  expect(found).toHaveLength(1);
  const [view] = found;
  if (view === undefined) throw new Error(`no ${name}`);
  return view;
};
const there = async (name: string) => {
  const answer = await world.host.request('vendors.list', {
    params: { company_id: company_id() },
    query: { filters: { query: name } },
  });
  return must(answer).data as readonly { readonly id: number; readonly active: boolean }[];
};

slow(
  'A2, A3: answers lost, host restarted, store gone: each record is there once, changed, retired, offered',
  async () => {
    let window = await start();
    must(await refreshCatalog(window, scope()));
    await world.weather('lost_writes');
    must(await addOwnData(window, vendors(), { name: 'Krane Hire Ltd', origin_id: 'V-1' }));
    await empty(window);
    const offered = async () =>
      (await window.db.catalogs.get([scope().account, scope().project_id]))?.catalog.vendors.map(
        ({ name }) => name,
      );
    expect(await offered()).toContain('Krane Hire Ltd');
    await world.weather('down');
    must(await addOwnData(window, vendors(), { name: 'Zteel' }));
    const crane = await named(window, 'Krane Hire Ltd');
    must(await changeOwnData(window, vendors(), crane, { name: 'Krane Hire', active: false }));
    expect((await queueCounts(window, scope().account)).operations).toBe(2);
    await window.stop();
    await Dexie.delete(db_name);
    await world.restartHost();
    window = await start();
    expect(window.repaired.rebuilt).toBe(2);
    await world.weather('fair');
    window.engine.wake();
    await empty(window);
    expect(await there('Zteel')).toHaveLength(1);
    expect(await there('Krane Hire')).toMatchObject([{ active: false }]);
    must(await refreshOwnData(window, vendors()));
    expect((await named(window, 'Krane Hire')).fields).toMatchObject({
      active: false,
      origin_id: 'V-1',
    });
  },
);

slow(
  'what is delivered while the catalog is on its way is offered, though the answer is older or says that nothing changed',
  async () => {
    const window = await start();
    must(await refreshCatalog(window, scope()));
    let reads = 0;
    /** Holds the answer to the first read until `meanwhile` is done. */
    const readWhile = async (meanwhile: () => Promise<void>) => {
      reads = 0;
      const request: typeof window.host.request = async (name, input) => {
        const answer = await window.host.request(name, input);
        if (name === 'catalog.show' && ++reads === 1) await meanwhile();
        return answer;
      };
      const catalog = must(
        await refreshCatalog({ ...window, host: { ...window.host, request } }, scope()),
      ).catalog;
      return { catalog, vendors: catalog.vendors.map(({ name }) => name) };
    };
    const adding = async (name: string) => {
      must(await addOwnData(window, vendors(), { name }));
      await empty(window);
    };
    expect((await readWhile(() => adding('Crane Hire Ltd'))).vendors).toContain('Crane Hire Ltd');
    expect(reads).toBe(2);
    must(await refreshCatalog(window, scope()));
    const opened = async () => {
      must(await openIncident(window, scope(), { title: 'Gate 9' }));
      await empty(window);
    };
    const { catalog } = await readWhile(opened);
    expect(catalog.incidents.map(({ title }) => title)).toContain('Gate 9');
    expect((await readWhile(() => Promise.resolve())).vendors).toContain('Crane Hire Ltd');
    expect(reads).toBe(1);
  },
);

it('what is settled side by side in one commit is all offered: a record of each kind and an incident opened here', async () => {
  const window = await start();
  must(await refreshCatalog(window, scope()));
  await world.weather('down');
  const kinds = ['vendors', 'people', 'parties', 'time_and_material_entries'] as const;
  const name = 'Settled together';
  for (const of of kinds) must(await addOwnData(window, { ...scope(), of }, { name }));
  must(await openIncident(window, scope(), { title: name }));
  await window.engine.stop();
  const { db } = window;
  const operations = (await db.operations.toArray()).map(operationOf);
  const seen_at = window.clock.tick();
  await db.transaction('rw', db.tables, () =>
    Promise.all(
      operations.map(async (operation, n) => {
        const inside = { db, seen_at };
        const server = {
          id: 900 + n,
          name,
          active: true,
          login: '',
          reference_user: true,
        };
        if (operation?.kind === 'company_record.create')
          await companyRecordCreateOperation.settle(operation.payload, server, {
            ...inside,
            operation,
          });
        if (operation?.kind === 'incident.create') {
          const incident = { id: 900 + n, number: 9, title: name } as Incident;
          await incidentCreateOperation.settle(operation.payload, incident, {
            ...inside,
            operation,
          });
        }
      }),
    ),
  );
  const catalog = (await db.catalogs.get([scope().account, scope().project_id]))?.catalog;
  const offered = kinds.filter((of) => catalog?.[of].some((one) => one.name === name));
  expect(offered).toEqual(kinds);
  expect(catalog?.incidents.map(({ title }) => title)).toContain(name);
});

it('what was never sent is changed in its place, and taken back it leaves nothing', async () => {
  const window = await start();
  await world.weather('down');
  // The first operation is attempted; the ones behind it in its lane are not.
  must(await addOwnData(window, vendors(), { name: 'First' }));
  must(await addOwnData(window, vendors(), { name: 'Steel and Co' }));
  const view = await named(window, 'Steel and Co');
  must(await changeOwnData(window, vendors(), view, { name: 'Never mind' }));
  const [item, ...others] = await queueItems(window, scope().account);
  expect(others).toEqual([]);
  expect(item).toMatchObject({ company: { kind: 'own_data', of: 'vendors' }, project_id: null });
  expect(item?.operations.map(({ about }) => about)).toEqual(['First', 'Never mind']);
  must(await cancelOperation(window, item?.operations[1]?.id ?? ''));
  expect((await listOwnData(window, vendors())).map(({ fields }) => fields['name'])).toEqual([
    'First',
  ]);
});

/** A conflict: a vendor called `Mine` here and `Theirs` on the server, where this edit still saw the earlier name. */
const disputed = async (window: StartedWindow) => {
  must(await addOwnData(window, vendors(), { name: 'Krane Hire Ltd' }));
  await empty(window);
  const view = await named(window, 'Krane Hire Ltd');
  await world.weather('down');
  must(await changeOwnData(window, vendors(), view, { name: 'Mine' }));
  const before = await named(window, 'Mine');
  await world.weather('fair');
  const params = { company_id: company_id(), id: view.server_id ?? 0 };
  const others = { params, body: { vendor: { name: 'Theirs' } } };
  must(await world.host.request('vendors.update', others));
  window.engine.wake();
  await parked(window);
  return before;
};
const disputedEntry = async (window: StartedWindow) =>
  (await queueItems(window, scope().account))[0]?.operations[0]?.id ?? '';
const askedAgain = (window: StartedWindow, than: string) =>
  until('asked again, or sent', async () => {
    const { operations, parked } = await queueCounts(window, scope().account);
    return operations === 0 || (parked === 1 && (await disputedEntry(window)) !== than);
  });

slow(
  'outbox promise 5: a field changed by two is asked about, and mine goes when a person says so',
  async () => {
    const window = await start();
    await disputed(window);
    const id = await disputedEntry(window);
    expect(await ownDataDispute(window, id)).toEqual({
      mine: { name: 'Mine' },
      theirs: { name: 'Theirs' },
    });
    must(await retryNow(window, [id], 'mine'));
    window.engine.wake();
    await empty(window);
    expect(await there('Mine')).toHaveLength(1);
  },
);

slow(
  'outbox promise 5: tried again, or saved by who had not been asked, nothing of theirs is written over',
  async () => {
    const window = await start();
    const before = await disputed(window);
    const first = await disputedEntry(window);
    must(await retryNow(window, [first]));
    window.engine.wake();
    await askedAgain(window, first);
    expect(await there('Theirs')).toHaveLength(1);
    const second = await disputedEntry(window);
    must(await changeOwnData(window, vendors(), before, { name: 'Mine', origin_id: 'V-7' }));
    window.engine.wake();
    await askedAgain(window, second);
    expect(await there('Theirs')).toHaveLength(1);
    const asked = await named(window, 'Mine');
    must(await changeOwnData(window, vendors(), asked, { name: 'Mine after all' }));
    window.engine.wake();
    await empty(window);
    expect(await there('Mine after all')).toHaveLength(1);
  },
);

it('with no network and nothing fetched the catalog tells what there is, and it can be changed', async () => {
  const window = await start();
  must(await refreshCatalog(window, scope()));
  await world.weather('down');
  const [known] = await listOwnData(window, incidents());
  if (known === undefined) throw new Error('the catalog has no incident');
  must(await changeOwnData(window, incidents(), known, { title: 'Corrected offline' }));
  expect(await listOwnData(window, incidents())).toContainEqual(
    expect.objectContaining({ fields: expect.objectContaining({ title: 'Corrected offline' }) }),
  );
  await world.weather('fair');
  window.engine.wake();
  await empty(window);
  const params = { project_id: scope().project_id, id: known.server_id ?? 0 };
  const shown = must(await world.host.request('incidents.show', { params }));
  expect(shown.data.title).toBe('Corrected offline');
});

it('decisions §4.6: an incident opened here is corrected before it was sent, and closed after it', async () => {
  const window = await start();
  await world.weather('down');
  must(await openIncident(window, scope(), { title: 'Crane ouer the road' }));
  const [waiting] = await listOwnData(window, incidents());
  expect(waiting).toMatchObject({ server_id: null, fields: { title: 'Crane ouer the road' } });
  await world.weather('fair');
  window.engine.wake();
  await empty(window);
  must(await refreshOwnData(window, incidents()));
  const find = async (title: string) =>
    (await listOwnData(window, incidents())).find((one) => one.fields['title'] === title);
  const opened = await find('Crane ouer the road');
  if (opened === undefined) throw new Error('not refreshed');
  must(
    await changeOwnData(window, incidents(), opened, {
      title: 'Crane over the road',
      status: 'closed',
    }),
  );
  await empty(window);
  const id = opened.server_id ?? 0;
  const params = { project_id: scope().project_id, id };
  expect(must(await world.host.request('incidents.show', { params })).data).toMatchObject({
    title: 'Crane over the road',
    status: 'closed',
  });
  const catalog = await window.db.catalogs.get([scope().account, scope().project_id]);
  const offered = catalog?.catalog.incidents.find((one) => one.id === id);
  expect(offered ?? { closed: true }).toMatchObject({ closed: true });
});

it.each(['whole', 'not changed'])(
  'decisions §11.1: a catalog asked for before a record was made here does not put it away again: %s',
  async (answered) => {
    const window = await start();
    must(await refreshCatalog(window, scope()));
    if (answered === 'whole') await window.db.catalogs.toCollection().modify({ etag: null });
    const [came, go] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()];
    let turns = 0;
    const request: typeof window.host.request = async (name, ...rest) => {
      const answer = await window.host.request(name, ...rest);
      if (name !== 'catalog.show') return answer;
      turns += 1;
      came.resolve(null);
      await go.promise;
      return answer;
    };
    const late = { ...window, host: { ...window.host, request } };
    const refreshing = refreshCatalog(late, scope());
    await came.promise;
    must(await addOwnData(window, vendors(), { name: 'Made meanwhile' }));
    must(await openIncident(window, scope(), { title: 'Opened meanwhile' }));
    await empty(window);
    // The newer answer arrives before the older one.
    must(await refreshCatalog(window, scope()));
    go.resolve(null);
    must(await refreshing);
    const offered = (await window.db.catalogs.get([scope().account, scope().project_id]))?.catalog;
    expect(offered?.vendors.map(({ name }) => name)).toContain('Made meanwhile');
    expect(offered?.incidents.map(({ title }) => title)).toContain('Opened meanwhile');
    expect(turns).toBe(2);
  },
);

slow(
  'decisions §11.5: a file is tried with nothing written, taken in whole and once, or refused by line',
  async () => {
    const window = await start();
    const rows = Array.from({ length: 1200 }, (_, at) => ({
      name: `Row ${at}`,
      origin_id: `R-${at}`,
    }));
    const lines = rows.map((_, at) => at + 2);
    expect(must(await tryImport(window, vendors(), rows))).toMatchObject({
      created: 1200,
      errors: {},
    });
    expect(await there('Row 7')).toHaveLength(0);
    await world.weather('lost_writes');
    must(await queueImport(window, vendors(), { file: 'vendors.csv', lines, rows }));
    await empty(window);
    await world.weather('fair');
    expect(await there('Row 1199')).toHaveLength(1);

    const refused = [
      { name: 'Fresh' },
      { name: 'Row 1', origin_id: 'R-2' },
      { name: 'x', id: 999_999 },
    ];
    must(
      await queueImport(window, vendors(), { file: 'again.csv', lines: [2, 3, 7], rows: refused }),
    );
    await parked(window);
    expect(await waitingImports(window, vendors())).toMatchObject([
      { file: 'again.csv', parked: true },
    ]);
    const [item] = await queueItems(window, scope().account);
    const problem = item?.operations[0]?.problem;
    if (problem?.kind !== 'refused') throw new Error(JSON.stringify(problem));
    expect(serverSays(problem)).toBe('row 7, id “not found”');
    expect(await there('Fresh')).toHaveLength(0);
  },
);
