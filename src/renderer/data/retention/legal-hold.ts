/** The legal hold of a near miss (decisions §20.5). Works online only, and nothing of it is stored on this laptop. */
import { ulid } from 'ulid';
import { ok, type Result } from '../../../contract/problem.ts';
import type { LegalHold } from '../../../contract/rest/retention/legal-holds.ts';
import type { Deps, NearMissRow } from '../db/db.ts';

type Asks = Pick<Deps, 'host'>;

const dataOf = <T>(answer: Result<{ readonly data: T }>): Result<T> =>
  answer.ok ? ok(answer.value.data) : answer;

type Report = Pick<NearMissRow, 'account' | 'project_id' | 'server_id'>;

const paramsOf = ({ project_id, server_id }: Report) => ({ project_id, id: server_id ?? 0 });

export const showHold = async ({ host }: Asks, row: Report): Promise<Result<LegalHold>> =>
  dataOf(await host.request('legal_hold.show', { params: paramsOf(row) }, row.account));

export const setHold = async (
  { host }: Asks,
  row: Report,
  reason: string,
): Promise<Result<LegalHold>> =>
  dataOf(
    await host.request(
      'legal_hold.put',
      { params: paramsOf(row), body: { legal_hold: { reason } }, idempotency_key: ulid() },
      row.account,
    ),
  );

export const releaseHold = ({ host }: Asks, row: Report): Promise<Result<unknown>> =>
  host.request(
    'legal_hold.delete',
    { params: paramsOf(row), idempotency_key: ulid() },
    row.account,
  );
