/** Figures before and after near misses are anonymised (decisions §20.3), as the window counts them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Catalog } from '../../../src/contract/rest/catalog.ts';
import type { NearMiss } from '../../../src/contract/rest/near-misses.ts';
import { customKey } from '../../../src/contract/text/field-by-label.ts';
import { createColumns } from '../../../src/renderer/data/index/near-miss-columns.ts';
import { insightsOf, weekStart } from '../../../src/renderer/data/index/insights.ts';
import { weekOf } from '../../../src/renderer/data/index/week.ts';
import { answerFields } from '../../../src/renderer/data/model/answer.ts';
import { followUpFields } from '../../../src/renderer/data/model/follow-up.ts';
import {
  fieldsOfServer,
  rowOf,
  serverKey,
} from '../../../src/renderer/data/model/near-miss-rows.ts';
import { rolesOf } from '../../../src/renderer/near-miss-form/roles.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { list } from '../near-miss-records.ts';
import { choose, DAY, preview, sweep } from './support.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

/** Everything that the window counts of the demo's near misses, at one moment. */
const figuresAt = async (now: number) => {
  const catalog = (await t.demo.get('~/catalog')).json as Catalog;
  const records = (await t.demo.get(`${list}?per_page=1000`)).json as NearMiss[];
  const { company_id, project_id } = t.demo;
  const rows = records.map((server) =>
    rowOf(
      {
        key: serverKey('a', server.id),
        account: 'a',
        company_id,
        project_id,
        server_id: server.id,
        fields: fieldsOfServer(server),
        server,
        created_at: Date.parse(String(server.created_at)),
        updated_at: 0,
        removed_at: null,
        seen_at: 0,
      },
      catalog,
    ),
  );
  const columns = createColumns();
  for (const row of rows) columns.put(row);
  const definitions = catalog.custom_field_definitions;
  const { severity, kind, when } = rolesOf(definitions);
  const [answer, fields] = [answerFields(definitions), followUpFields(definitions)];
  if (!severity || !kind || !when || !answer || !fields) throw new Error('a field is not there');
  const keyed = ({ id, options }: typeof severity) => ({ key: customKey({ id }), options });
  const today = new Date(now).toISOString().slice(0, 10);
  const text = (row: (typeof rows)[number]) =>
    String(row.fields.custom_fields[customKey(severity)] ?? '');
  const weeks = [0, 1, 2, 3, 4, 5].map((back) => {
    const start = weekStart(now - back * 30 * DAY);
    const how = { severity: text, severities: severity.options, place: () => '' };
    const { reports, ...figures } = weekOf(rows, start, how);
    return { ...figures, reports: reports.map(({ key }) => key) };
  });
  return {
    insights: insightsOf(columns.counted(), {
      account: 'a',
      project_id,
      from: null,
      now,
      severity: keyed(severity),
      kind: keyed(kind),
      when: keyed(when),
      answer,
      pin: null,
    }),
    follow_ups: columns.followUps({ fields, today, first: 1000 }),
    then: columns.followUps({ fields, today, ended: now - 60 * DAY }),
    unanswered: columns.unanswered(answer, 0),
    weeks,
  };
};

it('decisions §20.3: insights, follow-ups, answers and weeks count the same before and after', async () => {
  const now = t.clock.now();
  const before = await figuresAt(now);
  expect(before.follow_ups.open).toBeGreaterThan(0);
  expect(before.insights.answer.timed).toBeGreaterThan(0);
  await choose(t.demo, { years: 1 });
  t.clock.advance(366 * DAY);
  const due = (await preview(t.demo)).anonymise.now;
  expect(due).toBeGreaterThan(200);
  expect((await sweep(t)).anonymised).toBe(due);
  expect(await figuresAt(now)).toEqual(before);
  expect((await preview(t.demo)).anonymise.now).toBe(0);
});
