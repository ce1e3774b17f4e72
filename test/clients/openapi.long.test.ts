/**
 * The OpenAPI document as tools of others take it: redocly has nothing to say against it, and the types that openapi-typescript makes
 * of it let openapi-fetch send every filter (decisions §10). The program below is checked by TypeScript and then run.
 */
import { execFile } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as redocly from '@redocly/openapi-core';
import openapiTypes, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nearMissFilters } from '../../src/contract/rest/near-misses.ts';
import { startTestService, tempDir } from '../support/service.ts';

const run = promisify(execFile);

/** What of redocly is used here: its own types of a configuration take the compiler seconds. */
const { createConfig, lintFromString } = redocly as unknown as {
  readonly createConfig: (rules: { readonly extends: readonly string[] }) => Promise<unknown>;
  readonly lintFromString: (asked: {
    readonly source: string;
    readonly absoluteRef: string;
    readonly config: unknown;
  }) => Promise<readonly { readonly ruleId: string; readonly message: string }[]>;
};

/** Every filter, a page, a record made and read: the compiler refuses what the document does not say. */
const PROGRAM = `
import createClient from 'openapi-fetch';
import type { components, paths } from './types.ts';

const [url = '', token = '', company = '', project = ''] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl: url, headers: { authorization: 'Bearer ' + token } });
const header = { 'Service-Company-Id': Number(company) };
const path = { project_id: Number(project) };
const list = '/rest/v1.0/projects/{project_id}/incidents/near_misses';

const catalog = await api.GET('/rest/v1.0/projects/{project_id}/catalog', { params: { path, header } });
const offered = catalog.data;
if (!offered) throw new Error(JSON.stringify(catalog.error));
const first = <T extends { id: number }>(rows: T[]): number => rows[0]?.id ?? 0;
const near_miss: components['schemas']['NearMissCreate'] = {
  incident_id: first(offered.incidents),
  description: 'generated',
  affected_company_id: first(offered.companies),
  affected_party_id: first(offered.parties),
  affected_person_id: first(offered.people),
  harm_source_id: first(offered.harm_sources),
  work_activity_id: first(offered.work_activities),
  managed_equipment_id: first(offered.managed_equipment),
};
const made = await api.POST(list, { params: { path, header }, body: { near_miss } });
const asked = {
  'filters[created_at]': '2020-01-01...2040-01-01T00:00:00.5Z',
  'filters[updated_at]': '2020-01-01...2040-01-01T00:00:00.5Z',
  'filters[affected_company_id]': [first(offered.companies), 999999],
  'filters[affected_party_id]': [first(offered.parties)],
  'filters[affected_person_id]': [first(offered.people)],
  'filters[harm_source_id]': [first(offered.harm_sources)],
  'filters[work_activity_id]': [first(offered.work_activities)],
  'filters[managed_equipment_id]': first(offered.managed_equipment),
  'filters[query]': 'generated',
};
const query = { ...asked, page: 1, per_page: 5, sort: '-created_at' as const };
const found = await api.GET(list, { params: { path, header, query } });
// @ts-expect-error an id is a number
void (() => api.GET(list, { params: { path, header, query: { 'filters[harm_source_id]': ['1'] } } }));
// @ts-expect-error so is the length of a page
void (() => api.GET(list, { params: { path, header, query: { per_page: 'many' } } }));
console.log(JSON.stringify({
  filters: Object.keys(asked),
  made: made.data?.id ?? made.error,
  found: found.data?.map((row: { id: number }) => row.id) ?? found.error,
  url: found.response.url,
}));
`;

describe('decisions §10: the OpenAPI document', () => {
  it('decisions §10: redocly’s recommended rules have no error and no warning', async () => {
    const t = await startTestService();
    onTestFinished(() => t.stop());
    const source = await (await fetch(`${t.url}/openapi.json`)).text();
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
    // The rules do look: a document without a licence is told so.
    const bare = JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'x', version: '1' },
      paths: {},
    });
    const told = await lintFromString({ source: bare, absoluteRef: '/openapi.json', config });
    expect(told.map(({ ruleId }) => ruleId)).toContain('info-license');
  });

  it('decisions §10: openapi-fetch with types generated from it sends every filter as its own type', async () => {
    const t = await startTestService();
    onTestFinished(() => t.stop());
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const folder = tempDir('generated-client');
    onTestFinished(() => folder.remove());
    symlinkSync(join(root, 'node_modules'), join(folder.path, 'node_modules'), 'junction');
    const types = astToString(await openapiTypes(new URL(`${t.url}/openapi.json`)));
    writeFileSync(join(folder.path, 'types.ts'), types);
    writeFileSync(join(folder.path, 'package.json'), '{"type":"module"}');
    const program = join(folder.path, 'program.ts');
    writeFileSync(program, PROGRAM);
    const checked = ts.createProgram([program], {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ESNext,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    });
    const wrong = ts.getPreEmitDiagnostics(checked);
    expect(wrong.map((one) => ts.flattenDiagnosticMessageText(one.messageText, '\n'))).toEqual([]);
    const { token, company_id, project_id } = t.demo;
    const words = [program, t.url, token, String(company_id), String(project_id)];
    const said = JSON.parse((await run(process.execPath, words)).stdout) as {
      readonly filters: readonly string[];
      readonly made: number;
      readonly found: readonly number[];
      readonly url: string;
    };
    expect(said.found).toEqual([said.made]);
    const all = Object.keys(nearMissFilters.shape).map((name) => `filters[${name}]`);
    expect([...said.filters].sort()).toEqual(all.sort());
    expect(said.url).toContain('filters[affected_company_id]=');
  }, 300_000);
});
