/**
 * How long reports are kept (decisions §20). Works online only, and nothing of it is stored on this laptop: a choice that deletes
 * applies at once or not at all.
 */
import { ulid } from 'ulid';
import { ok, type Result } from '../../../contract/problem.ts';
import type { Retention, RetentionPreview } from '../../../contract/rest/retention/retention.ts';
import type { Deps } from '../db/db.ts';

type Asks = Pick<Deps, 'host'>;
interface Company {
  readonly account: string;
  readonly company_id: number;
}

export const dataOf = <T>(answer: Result<{ readonly data: T }>): Result<T> =>
  answer.ok ? ok(answer.value.data) : answer;

export const showRetention = async (
  { host }: Asks,
  { account, company_id }: Company,
): Promise<Result<Retention>> =>
  dataOf(await host.request('retention.show', { params: { company_id } }, account));

export const changeRetention = async (
  { host }: Asks,
  { account, company_id }: Company,
  retention: Retention,
): Promise<Result<Retention>> =>
  dataOf(
    await host.request(
      'retention.update',
      { params: { company_id }, body: { retention }, idempotency_key: ulid() },
      account,
    ),
  );

/** @param most how many of the reports to list */
export const previewRetention = async (
  { host }: Asks,
  { account, company_id }: Company,
  { years, bin_days }: Retention,
  most: number,
): Promise<Result<RetentionPreview>> =>
  dataOf(
    await host.request(
      'retention.preview',
      {
        params: { company_id },
        query: { years: years ?? 0, bin_days: bin_days ?? 0, page: 1, per_page: most },
      },
      account,
    ),
  );
