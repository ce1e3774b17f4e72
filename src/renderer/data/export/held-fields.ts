/** Derives custom fields from the values in near misses, for a server that does not list its fields. */
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import type { Deps } from '../db/db.ts';
import { type Chosen, chosenRows } from './export-table.ts';

type DataType = CustomFieldDefinition['data_type'];
/** Types that a table does not write as text. */
const TYPED: readonly DataType[] = ['number', 'date', 'datetime', 'select'];

/** The custom fields present in the chosen near misses, sorted by id, with empty labels. */
export const heldFields = async (
  deps: Pick<Deps, 'db'>,
  chosen: Chosen,
  signal?: AbortSignal,
): Promise<readonly CustomFieldDefinition[]> => {
  const types = new Map<number, DataType>();
  for await (const rows of chosenRows(deps, chosen)) {
    signal?.throwIfAborted();
    for (const { fields, server } of rows)
      for (const [key, value] of Object.entries(fields.custom_fields)) {
        const id = Number(/^custom_field_([1-9]\d*)$/.exec(key)?.[1]);
        if (Number.isNaN(id) || value === null || value === '') continue;
        const type = server?.custom_fields?.[key]?.data_type;
        const known = TYPED.find((one) => one === type);
        if (known !== undefined || !types.has(id)) types.set(id, known ?? 'text');
      }
  }
  return [...types]
    .sort(([a], [b]) => a - b)
    .map(([id, data_type]) => ({ id, label: '', data_type, options: [], required: false }));
};
