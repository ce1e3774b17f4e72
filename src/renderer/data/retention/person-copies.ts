/** Asks for the copy of what the company keeps about a person (decisions §22). Works online only, and nothing of it is stored on this laptop. */
import type { Result } from '../../../contract/problem.ts';
import type { ErasureSubject } from '../../../contract/rest/retention/erasures.ts';
import type { PersonCopy } from '../../../contract/rest/retention/person-copies.ts';
import type { Deps } from '../db/db.ts';
import { dataOf } from './retention.ts';

/** Without an idempotency key, so that the server keeps no copy of the answer. A repeated call is logged again. */
export const askPersonCopy = async (
  { host }: Pick<Deps, 'host'>,
  { account, company_id }: { readonly account: string; readonly company_id: number },
  person_copy: ErasureSubject & { readonly with_parts: boolean },
): Promise<Result<PersonCopy>> =>
  dataOf(
    await host.request(
      'person_copies.create',
      { params: { company_id }, body: { person_copy } },
      account,
    ),
  );
