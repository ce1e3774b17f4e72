/**
 * An incident opened offline and the near misses under it (failures A27): nothing is sent before its dependency, across
 * restarts of window and host, a lost database and lost answers. Against the real host and service.
 */
import { Dexie } from 'dexie';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ulid } from 'ulid';
import { refreshCatalog } from '../../../src/renderer/data/db/catalog.ts';
import {
  editOpenedIncident,
  openedIncidents,
  openIncident,
  resolveIncident,
} from '../../../src/renderer/data/near-misses/incidents.ts';
import { emptyFields } from '../../../src/renderer/data/model/near-miss-rows.ts';
import { editNearMiss, saveNearMiss } from '../../../src/renderer/data/near-misses/near-misses.ts';
import { exportItems } from '../../../src/renderer/outbox/transfer/export.ts';
import { importItems, offerImport } from '../../../src/renderer/outbox/transfer/import.ts';
import {
  park,
  queueCounts,
  openBreakerOf,
  queueItems,
  retryNow,
  cancelOperation,
} from '../../../src/renderer/outbox/queue/queue.ts';
import { history } from '../../../src/renderer/data/near-misses/history.ts';
import { type StartedWindow, startWindow } from '../../../src/renderer/outbox/start.ts';
import { type RealWorld, realWorld } from '../../support/renderer-real.ts';
import { until } from '../../support/renderer-window.ts';
import { files } from '../../../src/renderer/words/en/files.ts';
import { slow } from '../../support/slow.ts';

let world: RealWorld;
let names: string[];
let open: StartedWindow[] = [];
beforeEach(async () => {
  world = await realWorld();
  names = [`incidents-${ulid()}`];
});
afterEach(async () => {
  for (const window of open) await window.stop();
  open = [];
  for (const name of names) await Dexie.delete(name);
  await world.stop();
});

const start = async (db_name = names[0] ?? ''): Promise<StartedWindow> => {
  if (!names.includes(db_name)) names.push(db_name);
  const engine = { lock_name: `outbox-${db_name}`, random: () => 0 };
  const answer = await startWindow(world.host, { history, db_name, engine });
  if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
  open.push(answer.value);
  return answer.value;
};
const scope = () => ({
  account: world.session.account ?? '',
  company_id: world.session.company?.id ?? 0,
  project_id: world.session.project?.id ?? 0,
});
const opened = async (window: StartedWindow, title: string): Promise<number> => {
  const answer = await openIncident(window, scope(), {
    title,
    location: 'Gate 4',
    event_date: '2026-11-21T07:00:00.000Z',
  });
  if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
  return answer.value;
};
const save = async (window: StartedWindow, incident_id: number, text: string): Promise<string> => {
  const id = ulid();
  const fields = { ...emptyFields, incident_id, description: `<p>${text}</p>` };
  const saved = await saveNearMiss(window, { id, ...scope(), fields });
  if (!saved.ok) throw new Error(JSON.stringify(saved.problem));
  return id;
};
const counts = (window: StartedWindow) => queueCounts(window, scope().account);
const empty = (window: StartedWindow) =>
  until('nothing waits', async () => (await counts(window)).operations === 0);
const held = (window: StartedWindow) =>
  until('held', async () => (await openBreakerOf(window, scope().account)) !== null);
const incidentsThere = async (window: StartedWindow, title: string) => {
  const answer = await window.host.request('incidents.list', {
    params: { project_id: scope().project_id },
    query: { per_page: 1000 },
  });
  if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
  return answer.value.data.filter((one) => one.title === title);
};
const itemCalled = async (window: StartedWindow, key: string) =>
  (await queueItems(window, scope().account)).find((item) => item.key === key);

describe('incidents opened on this laptop', () => {
  it('A27: opened offline with two near misses, window and host started again: one incident, both under it', async () => {
    const first = await start();
    await refreshCatalog(first, scope());
    await world.weather('down');
    const id = await opened(first, 'Crane over the road');
    const key = await save(first, id, 'Opened one');
    await save(first, id, 'Opened two');
    await held(first);
    expect(await itemCalled(first, key)).toMatchObject({ waits_for: 'Crane over the road' });
    expect((await first.db.near_misses.get(key))?.names.incident).toBe('Crane over the road');
    await first.stop();
    await world.restartHost();
    const second = await start();
    expect(await openedIncidents(second.db, scope())).toMatchObject([
      { id, incident: { title: 'Crane over the road', location: 'Gate 4' } },
    ]);
    await world.weather('fair');
    second.engine.wake();
    await empty(second);
    const there = await incidentsThere(second, 'Crane over the road');
    expect(there).toMatchObject([{ location: 'Gate 4', event_date: '2026-11-21T07:00:00.000Z' }]);
    const records = await world.records('Opened');
    expect(records.map((one) => one.incident_id)).toEqual([there[0]?.id, there[0]?.id]);
    expect((await second.db.near_misses.get(key))?.incident_id).toBe(there[0]?.id);
    const { project_id, account } = scope();
    const catalog = await second.db.catalogs.get([account, project_id]);
    expect(catalog?.catalog.incidents.map((one) => one.id)).toContain(there[0]?.id);
    // A record saved under the local number now gets the server's number at once.
    expect(await resolveIncident(second.db, id)).toBe(there[0]?.id);
    await save(second, id, 'Opened later');
    await empty(second);
    expect((await world.records('Opened later')).map((one) => one.incident_id)).toEqual([
      there[0]?.id,
    ]);
  });

  it('A27, A18: the incident delivered, its answer known, the database deleted: what waits for it finds it by the journal', async () => {
    const first = await start();
    await world.weather('down');
    const id = await opened(first, 'Trench at the gate');
    const key = await save(first, id, 'After the loss');
    await held(first);
    const waiting = await first.db.operations.where('lane').equals(key).primaryKeys();
    await park(first, waiting);
    await world.weather('fair');
    first.engine.wake();
    await until('the incident is there', async () => (await counts(first)).records === 1);
    await first.stop();
    await Dexie.delete(names[0] ?? '');
    const second = await start();
    expect(second.repaired.rebuilt).toBe(1);
    await empty(second);
    const there = await incidentsThere(second, 'Trench at the gate');
    expect(there).toHaveLength(1);
    expect(await world.records('After the loss')).toMatchObject([{ incident_id: there[0]?.id }]);
  });

  slow(
    'A27, A18: the database deleted before anything was sent: incident and near misses come back in their order',
    async () => {
      const first = await start();
      await world.weather('down');
      const id = await opened(first, 'Lost and found');
      await save(first, id, 'Retrieved one');
      await save(first, id, 'Retrieved two');
      await first.stop();
      await Dexie.delete(names[0] ?? '');
      const second = await start();
      expect(second.repaired.rebuilt).toBe(3);
      await world.weather('fair');
      second.engine.wake();
      await empty(second);
      expect(await incidentsThere(second, 'Lost and found')).toHaveLength(1);
      expect(await world.records('Retrieved')).toHaveLength(2);
    },
  );

  it('A3, A27: answers lost after the service committed: no incident twice, no near miss twice', async () => {
    const window = await start();
    await refreshCatalog(window, scope());
    await world.weather('lost_incidents');
    const id = await opened(window, 'Twice over');
    await save(window, id, 'Under it');
    await empty(window);
    expect(await incidentsThere(window, 'Twice over')).toHaveLength(1);
    expect(await world.records('Under it')).toHaveLength(1);
  });

  it('A10, A27: a parked incident holds what is under it and nothing else; put right it goes, and they follow', async () => {
    const window = await start();
    const catalog = await refreshCatalog(window, scope());
    const other = (catalog.ok && catalog.value.catalog.incidents[0]?.id) || 0;
    await world.weather('down');
    const id = await opened(window, 'Held back');
    const key = await save(window, id, 'Held below');
    await held(window);
    const [incident] = await openedIncidents(window.db, scope());
    await park(window, [incident?.operation_id ?? '']);
    await world.weather('fair');
    window.engine.wake();
    await save(window, other, 'Free to go');
    await until('the free one went', async () => (await world.records('Free to go')).length === 1);
    expect(await itemCalled(window, key)).toMatchObject({
      state: 'waiting',
      waits_for: 'Held back',
      operations: [{ attempts: 0 }],
    });
    const items = await queueItems(window, scope().account);
    expect(items[0]).toMatchObject({ company: { kind: 'incidents' }, needed_by: 1 });
    const operation_id = incident?.operation_id ?? '';
    expect(await cancelOperation(window, operation_id)).toMatchObject({
      problem: { kind: 'conflict' },
    });
    // It was attempted while the server was closed: only operations that were never sent are changed in place.
    const fresh = await openedIncidents(window.db, scope());
    await retryNow(window, [fresh[0]?.operation_id ?? '']);
    await empty(window);
    const there = await incidentsThere(window, 'Held back');
    expect(await world.records('Held below')).toMatchObject([{ incident_id: there[0]?.id }]);
  });

  it('A26: before the first send it is edited in place and taken back; a near miss left without it takes another', async () => {
    const window = await start();
    const catalog = await refreshCatalog(window, scope());
    const other = (catalog.ok && catalog.value.catalog.incidents[0]?.id) || 0;
    await world.weather('down');
    await window.engine.stop();
    const id = await opened(window, 'Wrong nmae');
    const [waiting] = await openedIncidents(window.db, scope());
    const edited = await editOpenedIncident(window, waiting?.operation_id ?? '', {
      title: 'Right',
    });
    expect(edited.ok).toBe(true);
    const key = await save(window, id, 'Moved away');
    const [again] = await openedIncidents(window.db, scope());
    expect(again).toMatchObject({ id, incident: { title: 'Right' } });
    expect((await editNearMiss(window, key, { incident_id: other })).ok).toBe(true);
    expect(await window.db.operations.where('lane').equals(key).toArray()).toMatchObject([
      { payload: { body: { incident_id: other } } },
    ]);
    expect((await editNearMiss(window, key, { incident_id: id })).ok).toBe(true);
    expect(await itemCalled(window, key)).toMatchObject({ waits_for: 'Right' });
    expect((await editNearMiss(window, key, { incident_id: other })).ok).toBe(true);
    expect((await cancelOperation(window, again?.operation_id ?? '')).ok).toBe(true);
    const orphan = await save(window, id, 'Orphaned report');
    await window.stop();
    await world.weather('fair');
    const second = await start();
    await until('the other went', async () => (await world.records('Moved away')).length === 1);
    await until('parked', async () => (await counts(second)).parked === 1);
    expect(await itemCalled(second, orphan)).toMatchObject({
      operations: [{ problem: { kind: 'bad_input', fields: { incident_id: [] } } }],
    });
    await editNearMiss(second, orphan, { incident_id: other });
    await empty(second);
    expect(await world.records('Orphaned report')).toMatchObject([{ incident_id: other }]);
    expect(await incidentsThere(second, 'Right')).toEqual([]);
  });

  slow(
    'an export of the near miss takes its incident along, and no other; taken in where they are delivered, it adds nothing',
    async () => {
      const window = await start();
      await world.weather('down');
      const id = await opened(window, 'Carried over');
      const key = await save(window, id, 'Carried below');
      await opened(window, 'Stays here');
      const { account, company_id } = scope();
      const file = await (await exportItems(window, account, files, [key])).response.blob();
      const offer = await offerImport(file, { account, company_id });
      if (!offer.ok) throw new Error(JSON.stringify(offer.problem));
      const { operations, near_misses } = offer.value.file.manifest;
      expect(operations.map(({ kind, payload }) => [kind, payload['about']])).toEqual([
        ['incident.create', 'Carried over'],
        ['near_miss.create', undefined],
      ]);
      expect(near_misses).toMatchObject([{ fields: { incident_id: id } }]);
      await world.weather('fair');
      window.engine.wake();
      await empty(window);
      const again = await importItems(window, offer.value, account);
      expect(again).toMatchObject({ ok: true, value: { records: 0 } });
      expect(await incidentsThere(window, 'Carried over')).toHaveLength(1);
      expect(await world.records('Carried below')).toHaveLength(1);
    },
  );
});
