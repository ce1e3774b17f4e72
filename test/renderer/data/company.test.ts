/**
 * Insurances, members and webhooks through the queue, against the real host and service with the chaos proxy between them: lost
 * answers, restarted hosts and windows, a lost store, a file carried to another queue. Everything is executed once.
 */
import { Dexie } from 'dexie';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fail } from '../../../src/contract/problem.ts';
import type { InsuranceSyncError } from '../../../src/contract/rest/insurances.ts';
import { refreshCatalog } from '../../../src/renderer/data/db/catalog.ts';
import { listOutcomes } from '../../../src/renderer/data/company/outcomes.ts';
import { insuranceLane, newInsurance } from '../../../src/renderer/data/company/insurance-rows.ts';
import {
  listInsurances,
  queueSync,
  refreshInsurances,
  removeInsurance,
  saveInsurance,
  vendorsFetched,
} from '../../../src/renderer/data/company/insurances.ts';
import {
  addMembers,
  listMembers,
  refreshMembers,
  removalRequests,
  removeMembers,
} from '../../../src/renderer/data/company/project-memberships.ts';
import { heldSecret } from '../../../src/renderer/data/company/signing-secrets.ts';
import {
  listHooks,
  queueHook,
  refreshHooks,
  setTrigger,
} from '../../../src/renderer/data/company/webhooks.ts';
import { exportItems } from '../../../src/renderer/outbox/transfer/export.ts';
import { importItems, offerImport } from '../../../src/renderer/outbox/transfer/import.ts';
import { errorsByRow } from '../../../src/renderer/outbox/handlers/company/insurance.ts';
import {
  queueCounts,
  queueItems,
  cancelOperation,
} from '../../../src/renderer/outbox/queue/queue.ts';
import { history } from '../../../src/renderer/data/near-misses/history.ts';
import { type StartedWindow, startWindow } from '../../../src/renderer/outbox/start.ts';
import { type RealWorld, realWorld } from '../../support/renderer-real.ts';
import { until } from '../../support/renderer-window.ts';
import type { HookFields } from '../../../src/renderer/data/db/db.ts';
import { files } from '../../../src/renderer/words/en/files.ts';
import { slow } from '../../support/slow.ts';

let world: RealWorld;
let db_name: string;
let names: string[] = [];
let open: StartedWindow[] = [];
beforeEach(async () => {
  world = await realWorld();
  db_name = `company-${ulid()}`;
  names = [];
});
afterEach(async () => {
  for (const window of open) await window.stop();
  open = [];
  for (const name of names) await Dexie.delete(name);
  await world.stop();
});

const start = async (name = db_name, host = world.host): Promise<StartedWindow> => {
  names.push(name);
  const engine = { lock_name: `outbox-${name}`, random: () => 0 };
  const answer = await startWindow(host, { history, db_name: name, engine });
  if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
  open.push(answer.value);
  return answer.value;
};
const scope = () => ({
  account: world.session.account ?? '',
  company_id: world.session.company?.id ?? 0,
  project_id: world.session.project?.id ?? 0,
});
const empty = (window: StartedWindow) =>
  until('nothing waits', async () => (await queueCounts(window, scope().account)).operations === 0);
const must = <T>(answer: { ok: true; value: T } | { ok: false; problem: unknown }): T => {
  if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
  return answer.value;
};
const catalog = async (window: StartedWindow) =>
  must(await refreshCatalog(window, scope())).catalog;
const vendor = async (window: StartedWindow) => ({
  ...scope(),
  vendor_id: (await catalog(window)).vendors[0]?.id ?? 0,
});
/** The policies according to the server. */
const insured = async (window: StartedWindow, target: Awaited<ReturnType<typeof vendor>>) => {
  must(await refreshInsurances(window, target));
  return (await window.db.insurances.toArray()).map(({ server }) => [
    server.insurance_provider,
    server.limit,
  ]);
};
const HOOK: HookFields = {
  scope: 'project',
  namespace: 'core',
  api_version: 'v1',
  destination_url: 'https://example.com/hook',
};

describe('decisions §8: insurances', () => {
  slow(
    'A2, A3: answers lost, the host restarted: each insurance is there once; a refresh cannot overwrite what waits',
    async () => {
      const window = await start();
      const target = await vendor(window);
      await world.weather('lost_writes');
      for (const name of ['Zurich', 'Allianz'])
        must(await saveInsurance(window, target, null, { ...newInsurance, name, limit: '5.00' }));
      await empty(window);
      await world.weather('down');
      const zurich = (await listInsurances(window, target)).find(
        ({ fields }) => fields.name === 'Zurich',
      );
      if (zurich === undefined) throw new Error('no Zurich');
      must(await saveInsurance(window, target, zurich, { ...zurich.fields, limit: '9.00' }));
      await world.restartHost();
      const shown = await listInsurances(window, target);
      expect(shown.find(({ key }) => key === zurich.key)).toMatchObject({
        fields: { limit: '9.00' },
        server: { limit: '5.00' },
        waiting: [{ kind: 'insurance.update' }],
      });
      await world.weather('fair');
      window.engine.wake();
      await empty(window);
      expect((await insured(window, target)).sort()).toEqual([
        ['Allianz', '5.00'],
        ['Zurich', '9.00'],
      ]);
    },
  );

  it('a vendor is known to have none once the server has said so, and still after a restart', async () => {
    const window = await start();
    const target = await vendor(window);
    const other = { ...target, vendor_id: (await catalog(window)).vendors.at(-1)?.id ?? 0 };
    const fetched = async (from: StartedWindow) => [...(await vendorsFetched(from, scope()))];
    await world.weather('down');
    expect(await refreshInsurances(window, target)).toMatchObject({ ok: false });
    expect(await fetched(window)).toEqual([]);
    await world.weather('fair');
    must(await refreshInsurances(window, target));
    expect(await fetched(window)).toEqual([target.vendor_id]);
    // Two at once, then one of them again: the fetch times of both are kept.
    const both = [target, other].map((one) => refreshInsurances(window, one));
    for (const answer of await Promise.all(both)) must(answer);
    await window.stop();
    const again = await start();
    expect(await fetched(again)).toEqual([target.vendor_id, other.vendor_id]);
    expect([...(await vendorsFetched(again, { ...scope(), project_id: 0 }))]).toEqual([]);
  });

  it('A18: without the store the journal brings back a new one, its change and a file; sent once', async () => {
    const first = await start();
    const target = await vendor(first);
    await world.weather('down');
    must(await saveInsurance(first, target, null, { ...newInsurance, name: 'Zurich' }));
    const [made] = await listInsurances(first, target);
    if (!made) throw new Error('nothing made');
    must(await saveInsurance(first, target, made, { ...made.fields, limit: '7.00' }));
    const lines = [
      { row: 2, item: { name: 'Axa', limit: '1.00' } },
      { row: 3, item: { id: 999_999, name: 'Nobody' } },
    ];
    must(await queueSync(first, target, 'list.csv', new Map([[target.vendor_id, lines]])));
    await first.stop();
    const window = await start(`${db_name}-anew`);
    expect((await listInsurances(window, target)).map(({ fields }) => fields.name)).toEqual([
      'Zurich',
      'Axa',
    ]);
    await world.weather('fair');
    window.engine.wake();
    await empty(window);
    expect((await insured(window, target)).sort()).toEqual([
      ['Axa', '1.00'],
      ['Zurich', '7.00'],
    ]);
    const lane = insuranceLane(target.account, target.project_id, target.vendor_id);
    expect((await listOutcomes(window, lane))[0]?.data).toMatchObject({
      file: 'list.csv',
      created: 1,
      updated: 0,
      errors: [{ row: 3, errors: { id: ['not found'] } }],
    });
    await world.weather('down');
    const axa = (await listInsurances(window, target)).find(({ fields }) => fields.name === 'Axa');
    if (axa === undefined) throw new Error('no Axa');
    must(await removeInsurance(window, target, axa));
    expect(await listInsurances(window, target)).toHaveLength(1);
    const [item] = await queueItems(window, target.account);
    expect(item).toMatchObject({ company: { kind: 'insurances' }, missing: null, on_server: true });
  });

  it('A2: a file whose first answer got lost, and a refresh before it is sent again: what it made counts as made', async () => {
    const first = await start();
    const target = await vendor(first);
    must(await saveInsurance(first, target, null, { ...newInsurance, name: 'Zurich', limit: '1' }));
    await empty(first);
    await first.stop();
    let window: StartedWindow | null = null;
    let sent = 0;
    const request: typeof world.host.request = async (name, input) => {
      const answer = await world.host.request(name, input);
      if (name !== 'insurances.sync' || ++sent > 1 || window === null) return answer;
      must(await refreshInsurances(window, target));
      return fail({ kind: 'offline', reason: 'reset', detail: 'the answer got lost' });
    };
    window = await start(db_name, { ...world.host, request });
    const [zurich] = await listInsurances(window, target);
    const lines = [
      { row: 2, item: { id: zurich?.server?.id ?? 0, name: 'Zurich', limit: '2.00' } },
      { row: 3, item: { name: 'Axa', limit: '1.00' } },
    ];
    must(await queueSync(window, target, 'list.csv', new Map([[target.vendor_id, lines]])));
    await empty(window);
    expect(sent).toBe(2);
    expect((await insured(window, target)).sort()).toEqual([
      ['Axa', '1.00'],
      ['Zurich', '2.00'],
    ]);
    const lane = insuranceLane(target.account, target.project_id, target.vendor_id);
    const [outcome] = await listOutcomes(window, lane);
    expect(outcome?.data).toMatchObject({ created: 1, updated: 1, errors: [] });
  });

  it('reference, Errors 3: refused items are told by their row, whatever else was sent', () => {
    const updates = [
      { name: 'A', limit: '1.00' },
      { name: 'B', policy_number: 'p' },
      { id: 5, name: 'A' },
      { name: 'B', policy_number: 'q' },
    ];
    const errors: InsuranceSyncError[] = [
      { id: 5, insurance_provider: 'A', errors: { id: ['not found'] } },
      { insurance_provider: 'B', policy_number: 'q', errors: { status: ['is bad'] } },
      { insurance_provider: 'unheard of', errors: { name: ['is bad'] } },
    ];
    const told = errorsByRow({ updates, rows: [2, 3, 4, 5] }, errors);
    expect(told.map(({ row }) => row)).toEqual([4, 5, 2]);
  });
});

describe('decisions §7: members', () => {
  slow('A3: answers lost: each person is in once, then out; who was skipped is told', async () => {
    const window = await start();
    const people = (await catalog(window)).parties.filter((party) => party.reference_user);
    must(await refreshMembers(window, scope()));
    const before = (await listMembers(window, scope())).length;
    const ids = people.map(({ id }) => id).slice(0, 4);
    await world.weather('half_writes');
    must(await addMembers(window, scope(), ids.slice(0, 1), 'one'));
    must(await addMembers(window, scope(), ids, 'four'));
    expect(
      (await listMembers(window, scope())).filter((one) => one.waiting.length > 0),
    ).toHaveLength(4);
    await empty(window);
    must(await refreshMembers(window, scope()));
    const inside = await listMembers(window, scope());
    expect(inside).toHaveLength(before + 4);
    expect((await window.db.outcomes.toArray())[0]?.data).toMatchObject({ left: ids.slice(0, 1) });
    const going = inside.filter(({ party_id }) => ids.includes(party_id));
    const stranger = { party_id: 987_654, server_id: null, standing: 'in' as const, waiting: [] };
    must(await removeMembers(window, scope(), [...going, stranger], String));
    await empty(window);
    must(await refreshMembers(window, scope()));
    expect(await listMembers(window, scope())).toHaveLength(before);
    const removal = (await window.db.outcomes.toArray()).find(
      ({ kind }) => kind === 'membership.bulk_remove',
    );
    expect(removal?.data).toMatchObject({ left: [987_654] });
  });

  it('reference, Limits: more than 1,000 go in several requests', async () => {
    const window = await start();
    await world.weather('down');
    const many = Array.from({ length: 2500 }, (_, at) => ({
      party_id: at + 1,
      server_id: null,
      standing: 'in' as const,
      waiting: [],
    }));
    expect(removalRequests(many.length)).toBe(3);
    must(await removeMembers(window, scope(), many, String));
    const sizes = (await window.db.operations.toArray()).map(
      ({ payload }) => (payload as { party_ids: number[] }).party_ids.length,
    );
    expect(sizes.sort((a, b) => b - a)).toEqual([1000, 1000, 500]);
  });
});

describe('decisions §9: webhooks', () => {
  slow(
    'A3, A27: a hook and its triggers, answers lost: once each; its secret is held in memory and written nowhere',
    async () => {
      const window = await start();
      await catalog(window);
      await world.weather('half_writes');
      const key = must(await queueHook(window, scope(), HOOK));
      const trigger = { resource_name: 'Near Misses', event_type: 'create' } as const;
      const [view] = await listHooks(window, scope());
      if (!view) throw new Error('no hook');
      must(await setTrigger(window, scope(), view, trigger, true));
      await empty(window);
      must(await refreshHooks(window, scope(), HOOK));
      const hooks = await listHooks(window, scope());
      expect(hooks).toMatchObject([{ key, triggers: [trigger], row: { secret_unseen: true } }]);
      const secret = heldSecret(key) ?? '';
      expect(secret).toMatch(/^whsec_/);
      for (const table of window.db.tables)
        expect(JSON.stringify(await table.toArray())).not.toContain(secret.slice(6));
    },
  );

  it('A10: a hook that is refused keeps its triggers waiting; taken back, they go with it', async () => {
    const window = await start();
    await catalog(window);
    must(await queueHook(window, scope(), { ...HOOK, destination_url: 'http://127.0.0.1/x' }));
    const [view] = await listHooks(window, scope());
    if (!view) throw new Error('no hook');
    const trigger = { resource_name: 'Incidents', event_type: 'update' } as const;
    must(await setTrigger(window, scope(), view, trigger, true));
    const parked = async () => (await queueItems(window, scope().account))[0]?.operations[0];
    await until('it is refused', async () => (await parked())?.state === 'parked');
    const states = (await window.db.operations.orderBy('id').toArray()).map(({ state }) => state);
    expect(states.sort()).toEqual(['parked', 'waiting']);
    must(await cancelOperation(window, (await parked())?.id ?? ''));
    expect(await window.db.operations.count()).toBe(0);
    expect(await listHooks(window, scope())).toEqual([]);
  });
});

slow(
  'what waits is exported, and imported into a store that lacks it: delivered once',
  async () => {
    const first = await start();
    const target = await vendor(first);
    const [person] = (await catalog(first)).parties.filter((party) => party.reference_user);
    await world.weather('down');
    must(await saveInsurance(first, target, null, { ...newInsurance, name: 'Carried' }));
    must(await addMembers(first, scope(), [person?.id ?? 0], person?.name ?? ''));
    must(await queueHook(first, scope(), HOOK));
    const { response } = await exportItems(first, scope().account, files);
    const file = new Blob([await response.arrayBuffer()]);
    for (const operation of await first.db.operations.toArray())
      await first.host.call('journal.settle', { operation_ids: [operation.id], links: [] });
    await first.stop();
    const second = await start(`${db_name}-other`);
    expect(await second.db.operations.count()).toBe(0);
    const offer = await offerImport(file, scope());
    if (!offer.ok) throw new Error(JSON.stringify(offer.problem));
    expect(offer.value.asked).toEqual([
      { kind: 'members', operations: 1 },
      { kind: 'webhooks', operations: 1 },
    ]);
    // Changes of members and webhooks are imported only if a person allows it.
    const without = await importItems(second, offer.value, scope().account);
    expect(without).toMatchObject({ ok: true, value: { records: 1 } });
    expect((await second.db.operations.toArray()).map(({ kind }) => kind)).toEqual([
      'insurance.create',
    ]);
    const all = { waiting: true, drafts: false, allowed: ['members', 'webhooks'] } as const;
    const imported = await importItems(second, offer.value, scope().account, all);
    expect(imported).toMatchObject({ ok: true, value: { records: 2 } });
    await world.weather('fair');
    second.engine.wake();
    await empty(second);
    await importItems(second, offer.value, scope().account, all);
    await empty(second);
    expect((await insured(second, target)).map(([name]) => name)).toEqual(['Carried']);
    must(await refreshHooks(second, scope(), HOOK));
    expect(await listHooks(second, scope())).toHaveLength(1);
    must(await refreshMembers(second, scope()));
    const inside = (await listMembers(second, scope())).map(({ party_id }) => party_id);
    expect(inside).toContain(person?.id);
  },
);
