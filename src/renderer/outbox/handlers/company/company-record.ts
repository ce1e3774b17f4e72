/**
 * Sends `company_record.*`: the company's own data (decisions §11) and corrections of incidents (§4.6). One family
 * serves every kind, because their endpoints are alike. The endpoints are part of our extension, like the idempotency
 * keys (§1.5), so a repeated request gets the first answer again. A server without the extension refuses, and the item
 * shows it.
 */
import { fail, ok, type Problem, type Result } from '../../../../contract/problem.ts';
import {
  type CompanyRecordImport,
  type CompanyRecordKind,
  companyRecordKinds,
} from '../../../../contract/rest/company-records.ts';
import { everyRow } from '../../../../contract/rest/protocol/every-page.ts';
import { changeCatalog, refreshCatalog } from '../../../data/db/catalog.ts';
import { withRecord } from '../../../data/company/catalog-record.ts';
import {
  type Copy,
  copyOf,
  isSameValue,
  nameField,
  recordName,
  serverRecordKey,
} from '../../../data/company/company-record-rows.ts';
import type { SpotterDb } from '../../../data/db/db.ts';
import type {
  OwnDataFields,
  OwnDataKind,
  RecordToChange,
  RecordToMake,
} from '../../../operations/company/company-record.ts';
import { lookThenWrite } from '../look-then-write.ts';
import { isKeyOver } from '../../queue/operation-life.ts';
import { believeRecord } from '../believe-record.ts';
import { findMade } from '../find-made.ts';
import { noRows, type Handler, type SendContext } from '../handler.ts';

const PER_PAGE = 1000;

/** All kinds have the same endpoints except for the name in the body, so they are typed as vendors. */
const named = (of: CompanyRecordKind) => of as 'vendors';
const inside = (of: CompanyRecordKind, fields: OwnDataFields) =>
  ({ [companyRecordKinds[of].one]: fields }) as { readonly vendor: { readonly name: string } };

interface Seen {
  readonly data: Copy;
  readonly etag: string | null;
}

const seenIn = (
  of: OwnDataKind,
  answer: Result<{ readonly data: unknown; readonly etag: string | null }>,
): Result<Seen> => {
  if (!answer.ok) return answer;
  const data = copyOf(of, answer.value.data);
  if (data === null) return fail({ kind: 'bug', detail: `the answer is none of ${of}` });
  return ok({ data, etag: answer.value.etag });
};

/** The projects of an account with a local catalog. */
const catalogsOf = async (db: SpotterDb, account: string): Promise<readonly number[]> => {
  const keys = await db.catalogs
    .where('[account+project_id]')
    .between([account, -Infinity], [account, Infinity])
    .primaryKeys();
  return keys.map(([, project_id]) => project_id);
};

/** Stores the server's copy in the list and in the account's catalogs, inside the settling transaction. */
const putRecord = async (
  db: SpotterDb,
  row: { readonly account: string; readonly of: OwnDataKind; readonly project_id: number | null },
  server: Copy,
  key: string | null,
  seen_at: number,
): Promise<void> => {
  const { account, of, project_id } = row;
  const here = await db.company_records
    .where('[account+of+server_id]')
    .equals([account, of, server.id])
    .first();
  const final = key ?? here?.key ?? serverRecordKey(account, of, server.id);
  if (here !== undefined && here.key !== final) await db.company_records.delete(here.key);
  const common = { key: final, account, of, project_id, seen_at };
  await db.company_records.put({ ...common, server_id: server.id, server });
  const only = of === 'incidents' ? project_id : (server['project_id'] ?? null);
  for (const project_id of await catalogsOf(db, account))
    if (only === null || project_id === only)
      await changeCatalog(db, { account, project_id, seen_at }, (catalog) =>
        withRecord(catalog, of, server),
      );
};

/** The server's values of fields that somebody else changed to something other than our value. */
const disputed = (server: Copy, { changes, base }: RecordToChange): OwnDataFields =>
  Object.fromEntries(
    Object.entries(changes).flatMap(([name, wanted]) => {
      const value = server[name];
      return isSameValue(value, wanted) || isSameValue(value, base[name]) ? [] : [[name, value]];
    }),
  );

/** The record of an earlier attempt; null if there is none. */
const madeBefore = async (
  { company_id, of, fields }: Pick<RecordToMake, 'company_id' | 'of' | 'fields'>,
  context: SendContext,
): Promise<Result<Copy | null>> => {
  const { host, db, operation } = context;
  const filters = { query: recordName(of, fields) };
  const all = await everyRow(PER_PAGE, (paging) =>
    host.request(`${named(of)}.list`, { params: { company_id }, query: { filters, ...paging } }),
  );
  if (!all.ok) return all;
  const ids = all.value.map(({ id }) => [operation.account, of, id]);
  const rows = await db.company_records.where('[account+of+server_id]').anyOf(ids).toArray();
  const others = rows.flatMap(({ key, server_id }) =>
    key === serverRecordKey(operation.account, of, server_id ?? 0) ? [] : [server_id ?? 0],
  );
  const wanted = { sent: fields, name: nameField(of), others: new Set(others) };
  const found = findMade(all.value, wanted, context);
  return ok(found === null ? null : copyOf(of, found));
};

export const companyRecordCreateOperation: Handler<'company_record.create', Copy> = {
  rows: noRows,

  async send({ company_id, of, fields }, context) {
    const { host, operation, clock } = context;
    if (isKeyOver(operation, clock.now())) {
      const found = await madeBefore({ company_id, of, fields }, context);
      if (!found.ok || found.value !== null) return found as Result<Copy>;
    }
    const answer = await host.request(`${named(of)}.create`, {
      params: { company_id },
      body: inside(of, fields),
      idempotency_key: operation.id,
    });
    const made = seenIn(of, answer);
    return made.ok ? believeRecord(context, fields, made.value.data) : made;
  },

  async settle({ of, record_key }, server, { db, operation, seen_at }) {
    const { account } = operation;
    await putRecord(db, { account, of, project_id: null }, server, record_key, seen_at);
    return [{ local_id: record_key, server_id: server.id }];
  },
};

const look = async (
  { host }: Pick<SendContext, 'host'>,
  { of, company_id, project_id }: RecordToChange,
  id: number,
): Promise<Result<Seen>> =>
  seenIn(
    of,
    of === 'company'
      ? await host.request('company.show', { params: { company_id } })
      : of === 'incidents'
        ? await host.request('incidents.show', { params: { project_id, id } })
        : await host.request(`${named(of)}.show`, { params: { company_id, id } }),
  );

const write = async (
  { host }: Pick<SendContext, 'host'>,
  { of, company_id, project_id, changes }: RecordToChange,
  id: number,
  under: { readonly idempotency_key: string; readonly if_match?: string },
): Promise<Result<Seen>> =>
  seenIn(
    of,
    of === 'company'
      ? await host.request('company.update', {
          params: { company_id },
          body: { company: changes },
          ...under,
        })
      : of === 'incidents'
        ? await host.request('incidents.update', {
            params: { project_id, id },
            body: { incident: changes },
            ...under,
          })
        : await host.request(`${named(of)}.update`, {
            params: { company_id, id },
            body: inside(of, changes),
            ...under,
          }),
  );

export const companyRecordUpdateOperation: Handler<'company_record.update', Copy> = {
  rows: noRows,

  async send(payload, context) {
    const id = await context.serverId(payload.record_key, payload.server_id);
    if (id === null) return fail({ kind: 'gone', status: 404, messages: [] });
    return lookThenWrite(context, {
      look: () => look(context, payload, id),
      disputed: (server) => disputed(server, payload),
      write: (under) => write(context, payload, id, under),
      sent: payload.changes,
    });
  },

  async settle({ of, project_id }, server, { db, operation, seen_at }) {
    const { account } = operation;
    const row = { account, of, project_id: of === 'incidents' ? project_id : null };
    await putRecord(db, row, server, null, seen_at);
    return [];
  },
};

/** Names errors by the line of the file: `rows.3.name` becomes `lines.5.name`. */
const byLine = (problem: Problem, lines: readonly number[]): Problem => {
  if (problem.kind !== 'refused') return problem;
  const said = Object.entries(problem.fields).map(([field, messages]) => {
    const [, at = '', rest = ''] = /^rows\.(\d+)\.(.+)$/.exec(field) ?? [];
    const line = at === '' ? undefined : lines[Number(at)];
    return [line === undefined ? field : `lines.${line}.${rest}`, messages] as const;
  });
  return { ...problem, messages: [], fields: Object.fromEntries(said) };
};

export const companyRecordImportOperation: Handler<'company_record.import', CompanyRecordImport> = {
  rows: noRows,

  async send({ company_id, project_id, of, rows, lines }, context) {
    const body = { rows: [...rows] };
    const once = { body, idempotency_key: context.operation.id };
    const answer =
      of === 'incidents'
        ? await context.host.request('incidents.import', { params: { project_id }, ...once })
        : await context.host.request(`${named(of)}.import`, { params: { company_id }, ...once });
    if (!answer.ok) return fail(byLine(answer.problem, lines));
    // The answer lists no records, so the catalog is refreshed. If that fails, the next refresh catches up.
    await refreshCatalog(context, { account: context.operation.account, company_id, project_id });
    return ok(answer.value.data);
  },

  settle: () => Promise.resolve([]),
};
