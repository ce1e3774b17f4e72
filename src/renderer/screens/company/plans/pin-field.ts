/** Adds the custom field that keeps pins to a company from before there were plans (decisions §17.4). */
import { ulid } from 'ulid';
import { ok, type Result } from '../../../../contract/problem.ts';
import { refreshCatalog } from '../../../data/db/catalog.ts';
import type { Deps } from '../../../data/db/db.ts';
import type { Scope } from '../../../state/app.svelte.ts';

/** One of the labels by which the field is recognised (contract/field-labels.ts). */
export const PIN_LABEL = 'Where on the plan';

export const addPinField = async (deps: Deps, scope: Scope): Promise<Result<null>> => {
  const { account, company_id } = scope;
  const made = await deps.host.request(
    'custom_field_definitions.create',
    {
      params: { company_id },
      body: { custom_field_definition: { label: PIN_LABEL, data_type: 'string' } },
      idempotency_key: ulid(),
    },
    account,
  );
  if (!made.ok) return made;
  await refreshCatalog(deps, scope);
  return ok(null);
};
