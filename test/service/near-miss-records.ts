/** Creates records for tests of near misses, and finds custom fields in the demo's catalog. */
import { expect } from 'vitest';
import type { Answer, Client } from '../support/service.ts';

export const list = '~/incidents/near_misses';
export const bin = '~/recycle_bin/incidents/near_misses';

/** Makers of records. Both arguments are functions, because their values exist only once the service runs. */
export const recordsOf = (client: () => Client, incident: () => number = () => 1) => {
  const create = (fields: Readonly<Record<string, unknown>> = {}): Promise<Answer> =>
    client().post(list, { near_miss: { incident_id: incident(), ...fields } });
  /** Creates a record and expects 201. */
  const made = async (fields: Readonly<Record<string, unknown>> = {}) => {
    const answer = await create(fields);
    expect(answer.status, answer.text).toBe(201);
    return answer.json;
  };
  return { create, made };
};

interface Definitions {
  readonly custom_field_definitions: readonly { readonly id: number; readonly label: string }[];
}

/** The body's key for the custom field with this label. */
export const fieldFor = ({ custom_field_definitions }: Definitions, label: string): string => {
  const found = custom_field_definitions.find((one) => one.label === label);
  if (!found) throw new Error(`the catalog has no custom field "${label}"`);
  return `custom_field_${found.id}`;
};
