/**
 * Clients that nobody here wrote, at their published versions and as they come, against the real service: each sends what it sends
 * to the API of the reference (decisions §1.1, §2.4, §5.5).
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { client as procore, oauth } from '@procore/js-sdk';
import axios from 'axios';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startEndpoint } from '../service/webhooks/support.ts';
import { startTestService, testClock, type TestService } from '../support/service.ts';

const run = promisify(execFile);

interface Row {
  readonly id: number;
  readonly description_plain_text: string;
  readonly harm_source: { readonly id: number } | null;
}

let t: TestService;
let near_misses: string;
/** Two harm sources, and how many near misses have one of them. */
let sources: number[];
let counted: number;
let incident: number;
beforeAll(async () => {
  const options = { 'allow-private-webhooks': true, 'webhook-interval': 50 };
  // Whoever verifies a webhook looks at the clock, too.
  t = await startTestService(options, testClock(Date.now()));
  near_misses = `/rest/v1.0/projects/${t.demo.project_id}/incidents/near_misses`;
  const catalog = (await t.demo.get('~/catalog')).json as Record<string, { id: number }[]>;
  sources = (catalog['harm_sources'] ?? []).slice(0, 2).map(({ id }) => id);
  incident = catalog['incidents']?.[0]?.id ?? 0;
  const rows = (await t.demo.get('~/incidents/near_misses?per_page=1000')).json as Row[];
  counted = rows.filter(({ harm_source }) => sources.includes(harm_source?.id ?? 0)).length;
  expect(counted).toBeGreaterThan(5);
});
afterAll(() => t.stop());

describe('clients of others', () => {
  it('decisions §1.1: @procore/js-sdk as it is: its company header, its paths, its lists', async () => {
    const { token, company_id, project_id } = t.demo;
    const options = { apiHostname: t.url, defaultCompanyId: company_id };
    const sdk = procore(oauth(token), {}, options as never);
    const at = { base: '/projects/{project_id}/incidents/near_misses', params: { project_id } };
    const list = await sdk.get({
      ...at,
      qs: { filters: { harm_source_id: sources }, per_page: 1000, sort: '-created_at' },
    });
    expect((list.body as Row[]).length).toBe(counted);
    expect(list.response.headers.get('Total')).toBe(String(counted));
    const made = await sdk.post(at, {
      near_miss: { incident_id: incident, description: 'by the sdk' },
    });
    expect(made.body).toMatchObject({
      incident_id: incident,
      description_plain_text: 'by the sdk',
    });
    // The SDK itself puts an `id` behind the path.
    const one = { base: at.base, params: { project_id, id: (made.body as Row).id } };
    const changed = await sdk.patch(one, { near_miss: { description: 'changed by the sdk' } });
    expect(changed.body).toMatchObject({ description_plain_text: 'changed by the sdk' });
    await sdk.delete(one, {}, { formatter: (response: Response) => response.text() });
    const gone = await t.demo.get(`~/incidents/near_misses/${(made.body as Row).id}`);
    expect(gone.status).toBe(404);
  });

  it('decisions §1.1: of two company headers ours counts; a bad one of theirs is a 400', async () => {
    const { token, company_id } = t.demo;
    const ask = async (headers: Record<string, string>) =>
      (
        await fetch(`${t.url}/rest/v1.0/me`, {
          headers: { authorization: `Bearer ${token}`, ...headers },
        })
      ).status;
    const ours = String(company_id);
    expect(await ask({ 'procore-company-id': ours })).toBe(200);
    expect(await ask({ 'procore-company-id': '999', 'service-company-id': ours })).toBe(200);
    expect(await ask({ 'procore-company-id': ours, 'service-company-id': '999' })).toBe(403);
    expect(await ask({ 'procore-company-id': 'x' })).toBe(400);
  });

  it('decisions §2.4, §5.5: axios: lists with numbers in brackets, a form post, packed answers', async () => {
    const { token, company_id } = t.demo;
    const api = axios.create({
      baseURL: t.url,
      headers: { authorization: `Bearer ${token}`, 'service-company-id': company_id },
    });
    for (const indexes of [true, false, null]) {
      const params = { filters: { harm_source_id: sources }, per_page: 1000 };
      const list = await api.get<Row[]>(near_misses, { params, paramsSerializer: { indexes } });
      expect(list.data, String(indexes)).toHaveLength(counted);
    }
    const whole = await api.get<Row[]>(near_misses, {
      params: { per_page: 250 },
      decompress: false,
      responseType: 'arraybuffer',
    });
    expect(whole.headers['content-encoding']).toMatch(/^(br|gzip)$/);
    const uploads = `/rest/v1.1/companies/${company_id}/uploads`;
    const { data: upload } = await api.post<{ url: string; uuid: string; fields: object }>(
      uploads,
      {
        response_filename: 'words.txt',
      },
    );
    const form = new FormData();
    for (const [name, value] of Object.entries(upload.fields)) form.append(name, String(value));
    form.append('file', new Blob(['words of a file']));
    const sent = await axios.post(upload.url, form);
    expect(sent.status).toBe(204);
    const shown = await api.get<{ status: string }>(`${uploads}/${upload.uuid}`);
    expect(shown.data.status).toBe('complete');
  });

  it('decisions §9.4: standardwebhooks verifies what a hook made by axios is sent', async () => {
    const { token, company_id, project_id } = t.demo;
    const endpoint = await startEndpoint();
    onTestFinished(() => endpoint.close());
    const headers = { authorization: `Bearer ${token}`, 'service-company-id': company_id };
    const api = axios.create({ baseURL: `${t.url}/rest/v1.0/webhooks`, headers });
    const { data: hook } = await api.post<{ id: number; signing_secret: string }>('/hooks', {
      project_id,
      hook: { destination_url: endpoint.url },
    });
    await api.post(`/hooks/${hook.id}/triggers`, {
      api_version: 'v1',
      trigger: { resource_name: 'Near Misses', event_type: 'create' },
    });
    const near_miss = { incident_id: incident, description: 'told' };
    const { data: made } = await axios.post<Row>(t.url + near_misses, { near_miss }, { headers });
    await expect.poll(() => endpoint.received.length).toBe(1);
    const [got] = endpoint.received;
    if (!got) throw new Error('nothing came');
    const verified = new Webhook(hook.signing_secret).verify(
      got.text,
      got.headers as Record<string, string>,
    );
    expect(verified).toMatchObject({ resource_name: 'Near Misses', resource_id: made.id });
  });

  it('decisions §2.4: curl: packed, with numbered lists, and 304 to its own ETag', async () => {
    const { token, company_id } = t.demo;
    const url = `${t.url}${near_misses}?per_page=1000&filters[harm_source_id][0]=${sources[0]}&filters[harm_source_id][1]=${sources[1]}`;
    const own = ['-H', `Authorization: Bearer ${token}`, '-H', `Procore-Company-Id: ${company_id}`];
    const curl = async (...words: string[]) =>
      (await run('curl', ['-sSg', ...own, ...words, url], { maxBuffer: 8_000_000 })).stdout;
    expect(JSON.parse(await curl('--compressed'))).toHaveLength(counted);
    const headers = await curl('-D', '-', '-o', '/dev/null', '--compressed');
    expect(headers).toMatch(/^content-encoding: (br|gzip)\r$/im);
    const etag = /^etag: (.*)\r$/im.exec(headers)?.[1] ?? '';
    const same = await curl('-H', `If-None-Match: ${etag}`, '-w', '%{http_code} %{size_download}');
    expect(same).toBe('304 0');
  });
});
