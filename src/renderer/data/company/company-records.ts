/**
 * Edits and reads the company's own data (decisions §11) and a project's incidents. Every change is one operation in the
 * lane of its kind, then the host's journal, then the result, so it works the same offline.
 */
import { ulid } from 'ulid';
import type { PageAsked } from '../../../contract/rest/protocol/every-page.ts';
import { ok, type Result } from '../../../contract/problem.ts';
import type {
  CompanyRecordImport,
  CompanyRecordKind,
} from '../../../contract/rest/company-records.ts';
import type { ImportKind } from '../../../contract/rest/import-kinds.ts';
import type { Paging } from '../../../contract/rest/protocol/paging.ts';
import type { OwnDataFields } from '../../operations/company/company-record.ts';
import { optimisticPatchOf, recordKeyOf } from '../../operations/operation.ts';
import { companyRecord as queued } from '../../operations/queued.ts';
import { type QueueChange, replaceOperation } from '../../outbox/queue/enqueue.ts';
import { provablyNotSent } from '../../outbox/queue/operation-life.ts';
import { changeQueue } from '../../outbox/queue/change.ts';
import {
  briefOf,
  enqueueIn,
  operationsUnder,
  isAskedAbout,
  laneOperations,
} from '../near-misses/pending-operations.ts';
import { lanesOf } from '../model/lanes.ts';
import { recordsIn } from './catalog-record.ts';
import { mirror } from '../db/mirror.ts';
import type { CompanyRecordRow, Deps, OutboxOperation, SpotterDb } from '../db/db.ts';
import {
  type Copy,
  copyOf,
  type OwnDataTarget,
  type OwnDataView,
  ownDataLane,
  projectOf,
  recordChanges,
  recordName,
  serverRecordKey,
  showRecords,
} from './company-record-rows.ts';

const rowsOf = (db: SpotterDb, { account, of, project_id }: OwnDataTarget) =>
  db.company_records
    .where('[account+of+server_id]')
    .between([account, of, -Infinity], [account, of, Infinity])
    .and((row) => row.project_id === null || row.project_id === project_id);

/** Incidents created on this laptop that the server does not have yet; each has its own lane (incidents.ts). */
const openedHere = async (
  db: SpotterDb,
  target: OwnDataTarget,
): Promise<readonly OwnDataView[]> => {
  const { account, project_id } = target;
  const operations = await operationsUnder(db, `${lanesOf('incidents', account, project_id)}-`);
  return operations.flatMap((operation): readonly OwnDataView[] => {
    const over = optimisticPatchOf(operation);
    if (over?.puts !== 'incident') return [];
    const waiting = [briefOf(operation)];
    return [
      { key: operation.id, of: 'incidents', server_id: null, fields: over.incident, waiting },
    ];
  });
};

/** The records of a kind; if none was ever fetched, those of the catalog. */
const knownRows = async (
  db: SpotterDb,
  target: OwnDataTarget,
): Promise<readonly CompanyRecordRow[]> => {
  const rows = await rowsOf(db, target).toArray();
  const { account, of } = target;
  const had = rows.length > 0 ? undefined : await db.catalogs.get([account, target.project_id]);
  if (had?.source !== 'server') return rows;
  const common = { account, of, project_id: projectOf(target), seen_at: 0 };
  return recordsIn(had.catalog, of).map((server) => {
    const key = serverRecordKey(account, of, server.id);
    return { ...common, key, server_id: server.id, server };
  });
};

/** liveQuery: the records of a kind, with pending edits applied. */
export const listOwnData = async (
  { db }: Pick<Deps, 'db'>,
  target: OwnDataTarget,
): Promise<readonly OwnDataView[]> => {
  const rows = await knownRows(db, target);
  const shown = showRecords(rows, await laneOperations(db, ownDataLane(target)));
  return target.of === 'incidents' ? [...(await openedHere(db, target)), ...shown] : shown;
};

/** An import that is pending or was refused. */
export interface WaitingImport {
  readonly operation_id: string;
  readonly file: string;
  readonly rows: number;
  readonly parked: boolean;
}

export const waitingImports = async (
  { db }: Pick<Deps, 'db'>,
  target: OwnDataTarget,
): Promise<readonly WaitingImport[]> =>
  queued.import.in(await laneOperations(db, ownDataLane(target))).map((operation) => ({
    operation_id: operation.id,
    file: operation.payload.about,
    rows: operation.payload.rows.length,
    parked: operation.state === 'parked',
  }));

/** For a parked change with a conflict: its values, and the other person's values of the same fields. */
export const ownDataDispute = async (
  { db }: Pick<Deps, 'db'>,
  operation_id: string,
): Promise<{ readonly mine: OwnDataFields; readonly theirs: OwnDataFields } | null> => {
  const operation = queued.update.read(await db.operations.get(operation_id));
  const theirs = operation?.checkpoint.theirs;
  return operation === null || theirs === undefined
    ? null
    : { mine: operation.payload.changes, theirs };
};

const place = (target: OwnDataTarget) => ({
  key: ownDataLane(target),
  company_id: target.company_id,
  project_id: target.project_id,
});

const isOf =
  (key: string) =>
  (operation: OutboxOperation): boolean =>
    recordKeyOf(operation) === key;

const queueUpdate = async (
  deps: Deps,
  change: QueueChange,
  target: OwnDataTarget,
  view: OwnDataView,
  wanted: OwnDataFields,
): Promise<void> => {
  const { db, clock } = deps;
  const changes = recordChanges(view.fields, wanted);
  if (Object.keys(changes).length === 0) return;
  const about = recordName(target.of, { ...view.fields, ...changes });
  const lane = await laneOperations(db, ownDataLane(target));
  const own = lane.filter(isOf(view.key));
  const [create] = queued.create.in(own);
  if (create !== undefined && provablyNotSent(create)) {
    const fields = { ...create.payload.fields, ...changes };
    const next = queued.create({ ...create.payload, fields, about });
    await replaceOperation(db, change, create, next, clock.now());
    return;
  }
  const base = Object.fromEntries(Object.keys(changes).map((name) => [name, view.fields[name]]));
  // Merge into the lane's last operation unless it is being sent. Sending the same fields twice is harmless, whatever the
  // earlier attempt did.
  const last = queued.update.read(lane.at(-1));
  if (last !== null && last.state !== 'sending' && isOf(view.key)(last)) {
    const { payload: had, checkpoint } = last;
    const asked = isAskedAbout(view.waiting, last) ? checkpoint.theirs : {};
    const next = queued.update({
      ...had,
      about,
      changes: { ...had.changes, ...changes },
      base: { ...base, ...had.base, ...asked },
    });
    await replaceOperation(db, change, last, next, clock.now());
    return;
  }
  const made = queued.update({
    ...place(target),
    about,
    of: target.of,
    record_key: view.key,
    server_id: view.server_id,
    changes,
    base,
  });
  await enqueueIn(deps, change, target.account, made);
};

const tables = (db: SpotterDb) => [db.company_records];

/** Saves a new record. `ok` means saved on this laptop. */
export const addOwnData = (
  deps: Deps,
  target: OwnDataTarget & { readonly of: CompanyRecordKind },
  fields: OwnDataFields,
): Promise<Result<null>> =>
  changeQueue(deps, tables, async (change) => {
    const { of } = target;
    const about = recordName(of, fields);
    const made = queued.create({ ...place(target), about, of, record_key: ulid(), fields });
    await enqueueIn(deps, change, target.account, made);
    return null;
  });

export const changeOwnData = (
  deps: Deps,
  target: OwnDataTarget,
  view: OwnDataView,
  fields: OwnDataFields,
): Promise<Result<null>> =>
  changeQueue(deps, tables, async (change) => {
    await queueUpdate(deps, change, target, view, fields);
    return null;
  });

/** Rows of a file, with the line number of each. */
export interface FileRows {
  readonly file: string;
  readonly lines: readonly number[];
  readonly rows: readonly OwnDataFields[];
}

/** Queues a file. The server writes all of its rows or none (decisions §11.5). */
export const queueImport = (
  deps: Deps,
  target: OwnDataTarget & { readonly of: ImportKind },
  { file, lines, rows }: FileRows,
): Promise<Result<null>> =>
  changeQueue(deps, tables, async (change) => {
    const { of } = target;
    const content = { about: file, of, lines: [...lines], rows: [...rows] };
    await enqueueIn(deps, change, target.account, queued.import({ ...place(target), ...content }));
    return null;
  });

/** The endpoints of all kinds have the same shape; this cast picks one for the compiler. */
const named = (of: CompanyRecordKind) => of as 'vendors';

/** Dry run of an import: the server's verdict, with nothing written. */
export const tryImport = async (
  { host }: Pick<Deps, 'host'>,
  { of, company_id, project_id }: Omit<OwnDataTarget, 'account'> & { readonly of: ImportKind },
  rows: readonly OwnDataFields[],
): Promise<Result<CompanyRecordImport>> => {
  const body = { rows: [...rows], dry_run: true };
  const answer =
    of === 'incidents'
      ? await host.request('incidents.import', { params: { project_id }, body })
      : await host.request(`${named(of)}.import`, { params: { company_id }, body });
  return answer.ok ? ok(answer.value.data) : answer;
};

const askPage = async (
  { host }: Pick<Deps, 'host'>,
  { of, account, company_id, project_id }: OwnDataTarget,
  query: PageAsked,
): Promise<Result<{ readonly data: readonly Copy[]; readonly paging: Paging | null }>> => {
  if (of === 'company') {
    const one = await host.request('company.show', { params: { company_id } }, account);
    return one.ok ? ok({ data: [one.value.data], paging: null }) : one;
  }
  const answer: Result<{ readonly data: readonly unknown[]; readonly paging: Paging | null }> =
    of === 'incidents'
      ? await host.request('incidents.list', { params: { project_id }, query }, account)
      : await host.request(`${named(of)}.list`, { params: { company_id }, query }, account);
  if (!answer.ok) return answer;
  const { data, paging } = answer.value;
  return ok({ data: data.flatMap((one) => copyOf(of, one) ?? []), paging });
};

export const refreshOwnData = async (deps: Deps, target: OwnDataTarget): Promise<Result<null>> => {
  const { db } = deps;
  const { account, of } = target;
  const done = await mirror<Copy, CompanyRecordRow>(deps, {
    table: db.company_records,
    ask: (query) => askPage(deps, target, query),
    known: (copies) =>
      db.company_records
        .where('[account+of+server_id]')
        .anyOf(copies.map(({ id }) => [account, of, id]))
        .toArray(),
    idOf: ({ id }) => id,
    rowIdOf: ({ server_id }) => server_id,
    rowOf: (server, had, seen_at) => ({
      key: had?.key ?? serverRecordKey(account, of, server.id),
      account,
      of,
      project_id: projectOf(target),
      server_id: server.id,
      server,
      seen_at,
    }),
    held: () => rowsOf(db, target).toArray(),
    drop: (rows) => db.company_records.bulkDelete(rows.map(({ key }) => key)),
  });
  return done.ok ? ok(null) : done;
};
