/**
 * Erasing the name of a person (decisions §21). Works online only, and nothing of it is stored on this laptop: the preview is full of the
 * name, and decisions apply at once or not at all.
 */
import { ulid } from 'ulid';
import type { Result } from '../../../contract/problem.ts';
import {
  HITS_MAX,
  type Erasure,
  type ErasureAct,
  type ErasurePreview,
  type ErasureProof,
  type ErasureSubject,
} from '../../../contract/rest/retention/erasures.ts';
import type { Deps } from '../db/db.ts';
import { dataOf } from './retention.ts';

type Asks = Pick<Deps, 'host'>;
interface Company {
  readonly account: string;
  readonly company_id: number;
}

/** All places at once. Without an idempotency key, so that the server keeps no copy of the answer. */
export const previewErasure = async (
  { host }: Asks,
  { account, company_id }: Company,
  erasure: ErasureSubject,
): Promise<Result<ErasurePreview>> =>
  dataOf(
    await host.request(
      'erasures.preview',
      { params: { company_id }, query: { page: 1, per_page: HITS_MAX }, body: { erasure } },
      account,
    ),
  );

export const decideErasure = async (
  { host }: Asks,
  { account, company_id }: Company,
  subject: ErasureSubject,
  fingerprint: string,
  decisions: { readonly id: string; readonly act: ErasureAct }[],
): Promise<Result<ErasureProof>> =>
  dataOf(
    await host.request(
      'erasures.create',
      {
        params: { company_id },
        body: { erasure: { ...subject, fingerprint, decisions } },
        idempotency_key: ulid(),
      },
      account,
    ),
  );

/** The newest. */
export const listErasures = async (
  { host }: Asks,
  { account, company_id }: Company,
): Promise<Result<Erasure[]>> =>
  dataOf(
    await host.request(
      'erasures.list',
      { params: { company_id }, query: { page: 1, per_page: 100 } },
      account,
    ),
  );

export const showErasure = async (
  { host }: Asks,
  { account, company_id }: Company,
  id: number,
): Promise<Result<ErasureProof>> =>
  dataOf(await host.request('erasures.show', { params: { company_id, id } }, account));
