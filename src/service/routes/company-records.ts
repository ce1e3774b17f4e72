/**
 * [ours] What a company keeps itself (decisions §11): the same five handlers for every kind of the contract's table, which ties body and
 * answer of each endpoint to its kind.
 */
import {
  companyRecordKindNames,
  type CompanyRecordImport,
  type CompanyRecordKind,
  type CompanyRecordQuery,
} from '../../contract/rest/company-records.ts';
import * as rules from '../domain/company-records.ts';
import { recordImport } from '../domain/company-record-import.ts';
import { invalid, type FieldErrors } from '../domain/problem.ts';
import { undone } from '../store/company-records.ts';
import type { Call, HandlersOf } from './handler.ts';
import { afterArrivals } from './uploads.ts';

type Verb = 'list' | 'create' | 'show' | 'update' | 'import';
type CompanyRecordEndpoint = `${CompanyRecordKind}.${Verb}`;
type CallOf<V extends Verb> = Call<`vendors.${V}`>;

/** Every kind's address names its record so. */
const idOf = ({ params }: CallOf<'show'> | CallOf<'update'>): number => Number(params.id);

/** Rows that are judged and written together. */
const BATCH = 500;

const createContext = (call: CallOf<'create'>): rules.CreateContext => ({
  db: call.db,
  company_id: call.company_id,
  now: call.now,
  user_id: call.user.id,
  uploads: call.app.uploads,
});

/** @throws Refusal 422 with every bad row, unless it is a dry run */
const importRows = async (
  kind: CompanyRecordKind,
  call: CallOf<'import'>,
): Promise<CompanyRecordImport> => {
  const { rows, dry_run = false } = call.body;
  const errors: Record<string, string[]> = {};
  const many = recordImport(call, kind, (place, bad) => {
    for (const [field, messages] of Object.entries(bad))
      errors[`${place}.${field}`] = [...messages];
  });
  const placed = rows.map((value, at) => ({ place: `rows.${at}`, value }));
  const run = async (): Promise<void> => {
    for (let at = 0; at < placed.length; at += BATCH) await many.add(placed.slice(at, at + BATCH));
  };
  await (dry_run ? undone(call.db, run) : run());
  if (!dry_run && Object.keys(errors).length > 0) throw invalid(errors as FieldErrors);
  return { dry_run, ...many.counts(), errors };
};

const uuidOf = (kind: CompanyRecordKind, body: unknown): readonly string[] => {
  const uuid = rules.insideOf(kind, body)['upload_uuid'];
  return typeof uuid === 'string' ? [uuid] : [];
};

const handlersOf = (kind: CompanyRecordKind) => ({
  [`${kind}.list`]: (call: CallOf<'list'>) =>
    rules.listRecords(call, kind, call.query as CompanyRecordQuery),
  [`${kind}.create`]: afterArrivals(
    (call: CallOf<'create'>) => uuidOf(kind, call.body),
    (call: CallOf<'create'>) =>
      rules.createRecord(createContext(call), kind, rules.insideOf(kind, call.body)) as never,
  ),
  [`${kind}.show`]: (call: CallOf<'show'>) => rules.showRecord(call, kind, idOf(call)),
  [`${kind}.update`]: (call: CallOf<'update'>) =>
    rules.updateRecord(call, kind, idOf(call), rules.insideOf(kind, call.body), call.if_match),
  [`${kind}.import`]: async (call: CallOf<'import'>) => ({ data: await importRows(kind, call) }),
});

// One loop over the table: that each handler stands under its own endpoint's name is what it is made by.
export const companyRecordHandlers = Object.assign(
  {},
  ...companyRecordKindNames.map(handlersOf),
) as unknown as HandlersOf<CompanyRecordEndpoint>;
