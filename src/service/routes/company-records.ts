/**
 * [ours] What a company keeps itself (decisions §11): the same five handlers for every kind of the contract's table, which ties body and
 * answer of each endpoint to its kind.
 */
import {
  companyRecordKindNames,
  type CompanyRecordKind,
  type CompanyRecordQuery,
} from '../../contract/rest/company-records.ts';
import * as rules from '../domain/company-records.ts';
import { recordImport } from '../domain/company-record-import.ts';
import type { Call, HandlersOf } from './handler.ts';
import { importRows } from './import-rows.ts';
import { afterArrivals } from './uploads.ts';

type Verb = 'list' | 'create' | 'show' | 'update' | 'import';
type CompanyRecordEndpoint = `${CompanyRecordKind}.${Verb}`;
type CallOf<V extends Verb> = Call<`vendors.${V}`>;

/** Every kind's address names its record so. */
const idOf = ({ params }: CallOf<'show'> | CallOf<'update'>): number => Number(params.id);

const createContext = (call: CallOf<'create'>): rules.CreateContext => ({
  db: call.db,
  company_id: call.company_id,
  now: call.now,
  user_id: call.user.id,
  uploads: call.app.uploads,
});

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
  [`${kind}.import`]: (call: CallOf<'import'>) =>
    importRows(call, (bad) => recordImport(call, kind, bad)),
});

// One loop over the table: that each handler stands under its own endpoint's name is what it is made by.
export const companyRecordHandlers = Object.assign(
  {},
  ...companyRecordKindNames.map(handlersOf),
) as unknown as HandlersOf<CompanyRecordEndpoint>;
