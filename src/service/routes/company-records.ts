/**
 * [ours] Company data (decisions §11): the same five handlers for every kind. The contract's table ties each
 * endpoint's body and response to its kind.
 */
import {
  companyRecordKindNames,
  type CompanyRecordKind,
  type CompanyRecordQuery,
} from '../../contract/rest/company-records.ts';
import * as rules from '../domain/company/company-records.ts';
import { recordImport } from '../domain/company/company-record-import.ts';
import type { Call, HandlersOf } from './handler.ts';
import { importRows } from './import-rows.ts';
import { afterArrivals } from './uploads.ts';

type Verb = 'list' | 'create' | 'show' | 'update' | 'import';
type CompanyRecordEndpoint = `${CompanyRecordKind}.${Verb}`;
type CallOf<V extends Verb> = Call<`vendors.${V}`>;

/** Every kind's path calls the id of a record `id`. */
const idOf = ({ params }: CallOf<'show'> | CallOf<'update'>): number => Number(params.id);

const createContext = (call: CallOf<'create'>): rules.CreateContext => ({
  db: call.db,
  company_id: call.company_id,
  access: call.access,
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

// The loop names each handler after its endpoint, so the cast is safe.
export const companyRecordHandlers = Object.assign(
  {},
  ...companyRecordKindNames.map(handlersOf),
) as unknown as HandlersOf<CompanyRecordEndpoint>;
