/**
 * The reference's rules for all endpoints: Endpoints, Versioning, Pagination. The table is copied from the reference, not from
 * the contract. matrix.test.ts checks that each endpoint really answers as the contract says.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../src/contract/rest/protocol/endpoint.ts';
import { endpointNames, endpoints } from '../../../src/contract/rest/index.ts';
import { insertMails } from '../../../src/service/store/mail/mail-queue.ts';
import type { TestService } from '../../support/service.ts';
import { pngOf } from '../../support/drawings.ts';
import { sendFile } from '../matrix-world.ts';
import { erase } from '../retention/erasure-support.ts';
import {
  deliveriesOf,
  HOOKS,
  makeHook,
  makeNearMiss,
  startEndpoint,
  startSender,
  until,
} from '../webhooks/support.ts';

const project = '/rest/v1.0/projects/{project_id}';
const insurances = `${project}/vendors/{vendor_id}/insurances`;
const attachments = `${project}/time_and_material_entry_attachments`;
const uploads = '/rest/v1.1/companies/{company_id}/uploads';
const memberships = `${project}/project_memberships`;
const near_misses = `${project}/incidents/near_misses`;
const bin = `${project}/recycle_bin/incidents/near_misses`;
const v2 = '/rest/v2.0/companies/{company_id}/projects/{project_id}/project_memberships';

const operations = [
  ['GET', insurances, 200],
  ['POST', insurances, 201],
  ['PATCH', `${insurances}/sync`, 200],
  ['GET', `${insurances}/{id}`, 200],
  ['PATCH', `${insurances}/{id}`, 200],
  ['DELETE', `${insurances}/{id}`, 200],
  ['GET', attachments, 200],
  ['POST', attachments, 201],
  ['GET', `${attachments}/{id}`, 200],
  ['DELETE', `${attachments}/{id}`, 200],
  ['DELETE', `${attachments}/bulk_destroy`, 200],
  ['POST', uploads, 201],
  ['GET', `${uploads}/{uuid}`, 200],
  ['PATCH', `${uploads}/{uuid}`, 200],
  ['GET', memberships, 200],
  ['POST', memberships, 201],
  ['DELETE', `${memberships}/{id}`, 204],
  ['POST', `${memberships}/bulk_add`, 201],
  ['DELETE', `${v2}/bulk_remove`, 200],
  ['GET', near_misses, 200],
  ['POST', near_misses, 201],
  ['GET', `${near_misses}/{id}`, 200],
  ['PATCH', `${near_misses}/{id}`, 200],
  ['DELETE', `${near_misses}/{id}`, 204],
  ['GET', bin, 200],
  ['GET', `${bin}/{id}`, 200],
  ['PATCH', `${bin}/{id}/restore`, 200],
  ['GET', '/vapid/webhooks/hooks/{hook_id}/deliveries', 200],
] as const;

let t: TestService;
/** Values of the path parameters. */
let values: Record<string, string | number>;
const undo: (() => Promise<void>)[] = [];

const pathOf = (path: string, other: Record<string, string> = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(other[name] ?? values[name]));

const ROWS = 4;

beforeAll(async () => {
  t = await startSender();
  undo.push(() => t.stop());
  const endpoint = await startEndpoint();
  undo.push(() => endpoint.close());
  const { demo } = t;
  const hook = await makeHook(demo, endpoint.url, {
    triggers: [
      ['Near Misses', 'create'],
      ['Near Misses', 'update'],
      ['Near Misses', 'delete'],
      ['Incidents', 'create'],
    ],
  });
  for (let index = 1; index < ROWS; index += 1)
    await demo.post(HOOKS, {
      company_id: demo.company_id,
      hook: { destination_url: endpoint.url },
    });
  const { vendors, documents, time_and_material_entries } = (await demo.get('~/catalog')).json;
  values = {
    company_id: demo.company_id,
    project_id: demo.project_id,
    vendor_id: vendors[0].id,
    hook_id: hook.id,
    target_id: hook.id,
    user_id: (await demo.get('/rest/v1.0/me')).json.id,
    // A near miss with a history; no other list has an `id` in its path.
    id: await makeNearMiss(demo),
    entry_id: 1,
    uuid: 'none',
    attachment_id: 1,
    comment_id: 1,
  };
  const codes = `/rest/v1.0/companies/${demo.company_id}/enrolment_codes`;
  const accounts = `/rest/v1.0/companies/${demo.company_id}/service_accounts`;
  const { user_id } = values;
  for (let index = 0; index < ROWS; index += 1) {
    await demo.patch(pathOf(`${near_misses}/{id}`), { near_miss: { description: `x ${index}` } });
    await demo.post(pathOf(`${near_misses}/{id}/comments`), { comment: { text: 'x' } });
    await demo.post('/rest/v1.0/me/tokens', { token: { name: 'x' } });
    await demo.post('~/shifts', undefined);
    await demo.post(codes, { enrolment_code: { user_id } });
    await demo.post(accounts, { service_account: { name: 'x' } });
    const upload_uuid = await sendFile(demo, pngOf(30, 20));
    await demo.post('~/plans', { plan: { name: 'x', upload_uuid } });
  }
  const { company_id } = demo;
  const mail = { company_id, user_id: Number(user_id), near_miss_id: 1, kind: 'severe', due: null };
  const events = Array.from({ length: ROWS }, (_, at) => `severe/1/${at}`);
  const mails = events.map((event, at) => ({ ...mail, event, created_at: at }));
  await t.service.app.store.write((tx) => insertMails(tx, mails), company_id);
  for (let index = 0; index < ROWS; index += 1)
    await demo.post(pathOf(insurances), { insurance: { name: 'x' } });
  await demo.post(pathOf(attachments), {
    time_and_material_entry_id: time_and_material_entries[0].id,
    time_and_material_entry_attachment: {
      documents: documents.slice(0, ROWS).map(({ id }: { id: number }) => id),
    },
  });
  for (let index = 0; index < ROWS; index += 1) {
    const id = await makeNearMiss(demo);
    await demo.delete(`${pathOf(near_misses)}/${id}`);
  }
  await until(async () => (await deliveriesOf(demo, hook.id)).length >= ROWS);
  for (let index = 0; index < ROWS; index += 1) {
    const name = `Erased Person ${index}`;
    await demo.post(`/rest/v1.0/companies/${demo.company_id}/parties`, { party: { name } });
    await erase(t, { name });
  }
});
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

describe('reference, Endpoints', () => {
  it.each(operations)(
    'reference, Endpoints, Versioning: %s %s is there and answers %i (reference R-endpoints-1, R-endpoints-4, R-versioning-1)',
    async (method, path, status) => {
      const spec: Endpoint | undefined = endpointNames
        .map((name) => endpoints[name])
        .find((one) => one.method === method && one.path === path);
      expect([spec?.status, spec?.extension]).toEqual([status, false]);
      // An unknown path is a 404 before any token is checked.
      expect((await fetch(t.url + pathOf(path), { method })).status).toBe(401);
    },
  );

  it('reference, Endpoints: what is no integer where a path wants one is a 404, on every endpoint (reference R-endpoints-3, R-uploads-17)', async () => {
    for (const name of endpointNames) {
      const { method, path } = endpoints[name];
      for (const [, parameter = ''] of path.matchAll(/\{(\w+)\}/g)) {
        if (parameter === 'uuid') continue;
        for (const bad of ['abc', '1.5', '0']) {
          const answer = await t.demo.ask(method, pathOf(path, { [parameter]: bad }));
          expect([name, parameter, bad, answer.status]).toEqual([name, parameter, bad, 404]);
        }
      }
    }
  });
});

const lists = endpointNames.filter((name) => endpoints[name].paging !== 'none');

/** Lists with few rows in the demo, and the minimum of each. */
const fewRows: Partial<Record<(typeof lists)[number], number>> = {
  'incidents.list': 3,
  'projects.list': 1,
  'visible_projects.list': 1,
  'companies.list': 1,
  'company_users.list': 1,
  'vendors.list': 3,
  'time_and_material_entries.list': 2,
  'folders.list': 2,
};

describe('reference, Pagination: every list', () => {
  const relations = (link: string | null): string[] =>
    [...(link ?? '').matchAll(/<[^>]*>; rel="(\w+)"/g)].map(([, rel = '']) => rel);

  /** Lists of hooks, triggers, deliveries and projects name their company in the query. */
  const namesCompany = (path: string) =>
    path.includes('webhooks') || path.endsWith('v1.0/projects');
  const ask = (path: string, query: string) =>
    t.demo.get(
      `${pathOf(path)}?${query}${namesCompany(path) ? `&company_id=${t.demo.company_id}` : ''}`,
    );

  it('reference, Pagination: the lists of the reference are paged (reference R-pagination-1)', () => {
    for (const path of [insurances, attachments, memberships, near_misses])
      expect(lists.find((name) => endpoints[name].path === path)).toBeDefined();
  });

  it.each(lists)(
    'reference, Pagination: %s takes page and per_page, answers Per-Page and Total, and Link to the letter (reference R-pagination-1, R-pagination-2, R-pagination-3, R-pagination-4, R-pagination-5)',
    async (name) => {
      const { path, paging } = endpoints[name];
      const all = await ask(path, 'per_page=10000');
      const count: number = all.json.length;
      expect(count).toBeGreaterThanOrEqual(fewRows[name] ?? ROWS);
      for (const page of [1, 2, 3].filter((one) => one <= count)) {
        const rels = [
          ...(page > 1 ? ['first'] : []),
          ...(page > 2 ? ['prev'] : []),
          ...(page < count ? ['next'] : []),
          // A single page has no `last` link.
          ...(count > 1 ? ['last'] : []),
        ];
        const answer = await ask(path, `per_page=1&page=${page}`);
        expect(answer.status).toBe(200);
        expect(answer.json.map(({ id }: { id: number }) => id)).toEqual([all.json[page - 1].id]);
        expect(answer.headers.get('per-page')).toBe('1');
        expect(answer.headers.get('total')).toBe(String(all.json.length));
        expect(relations(answer.headers.get('link'))).toEqual(paging === 'link' ? rels : []);
      }
    },
  );

  it.each(lists)(
    'reference, Limits: %s takes a per_page of at most 10,000, and 100 by default (reference R-pagination-6)',
    async (name) => {
      const { path } = endpoints[name];
      expect((await ask(path, '')).headers.get('per-page')).toBe('100');
      const most = await ask(path, 'per_page=10000');
      expect([most.status, most.headers.get('per-page')]).toEqual([200, '10000']);
      const more = await ask(path, 'per_page=10001');
      expect([more.status, Object.keys(more.json.errors)]).toEqual([422, ['per_page']]);
    },
  );
});
