/** Corners of the API that a client written from its reference alone runs into. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

let t: TestService;
let vendor: number;
beforeAll(async () => {
  t = await startTestService();
  vendor = (await t.demo.get('~/catalog')).json.vendors[0].id as number;
});
afterAll(() => t.stop());

const insurances = () => `~/vendors/${vendor}/insurances`;
const vendors = () => `/rest/v1.0/companies/${t.demo.company_id}/vendors`;
const FAR = String(Number.MAX_SAFE_INTEGER);

describe('pages', () => {
  it.each([
    '~/incidents/near_misses',
    '~/recycle_bin/incidents/near_misses',
    '~/incidents',
    '~/project_memberships',
    '~/time_and_material_entry_attachments',
  ])('decisions §2.2: the last page that there can be of %s is empty', async (list) => {
    const { status, json, headers } = await t.demo.get(`${list}?page=${FAR}&per_page=10000`);
    expect([status, json, headers.get('per-page')]).toEqual([200, [], '10000']);
  });

  it('decisions §2.2: so it is with a filter, a search and an order by name', async () => {
    const query = `page=${FAR}&per_page=10000&filters[query]=a&filters[harm_source_id]=1&sort=harm_source`;
    const { status, json } = await t.demo.get(`~/incidents/near_misses?${query}`);
    expect([status, json]).toEqual([200, []]);
  });
});

describe('methods and addresses', () => {
  /** Asked by hand: the document describes no answer of a method that there is not. */
  const other = async (method: string, path: string) => {
    const url = path.startsWith('http')
      ? path
      : t.url + path.replace(/^~/, `/rest/v1.0/projects/${t.demo.project_id}`);
    const response = await fetch(url, {
      method,
      headers: {
        Authorization: `Bearer ${t.demo.token}`,
        'Service-Company-Id': String(t.demo.company_id),
      },
    });
    return [response.status, response.headers.get('allow')];
  };

  it('decisions §1.2: a wrong method is a 405 also where the last word could be an id', async () => {
    expect(await other('PATCH', '~/incidents/near_misses')).toEqual([405, 'GET, HEAD, POST']);
    expect(await other('GET', `${insurances()}/sync`)).toEqual([405, 'PATCH']);
    expect(await other('DELETE', `${insurances()}/sync`)).toEqual([405, 'PATCH']);
    expect(await other('DELETE', '~/project_memberships/bulk_add')).toEqual([405, 'POST']);
    expect(await other('HEAD', '~/time_and_material_entry_attachments/bulk_destroy')).toEqual([
      405,
      'DELETE',
    ]);
    expect(await other('GET', `${vendors()}/import`)).toEqual([405, 'POST']);
    expect(await other('GET', `${insurances()}/other`)).toEqual([404, null]);
  });

  it('decisions §1.2: so it is for pages without a token and for signed addresses', async () => {
    expect(await other('POST', '/healthz')).toEqual([405, 'GET, HEAD']);
    expect(await other('DELETE', '/openapi.json')).toEqual([405, 'GET, HEAD']);
    const made = await t.demo.post(`/rest/v1.1/companies/${t.demo.company_id}/uploads`, {
      response_filename: 'a.jpg',
    });
    expect(await other('OPTIONS', made.json.url as string)).toEqual([405, 'POST']);
  });

  it('decisions §1.2: an id of hundreds of digits is a 404 like any other that is none', async () => {
    const path = `~/incidents/near_misses/${'9'.repeat(400)}`;
    expect(await other('GET', path)).toEqual([404, null]);
  });
});

it('decisions §1.6: what a good token is refused for its company is counted, and says what is left', async () => {
  const limited = await startTestService({ 'rate-limit': 3 });
  try {
    const ask = (company: string) =>
      limited.demo.get('/rest/v1.0/me', { 'service-company-id': company });
    const answers = [
      await ask('x'),
      await ask('999'),
      await ask(String(limited.demo.company_id)),
      await ask('999'),
    ];
    expect(
      answers.map(({ status, headers }) => [status, headers.get('x-rate-limit-remaining')]),
    ).toEqual([
      [400, '2'],
      [403, '1'],
      [200, '0'],
      [429, '0'],
    ]);
  } finally {
    await limited.stop();
  }
});
