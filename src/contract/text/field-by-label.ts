/** Finds the custom field for a role by the labels companies give it. Pure. */
import { fold } from './fold.ts';
import type { CustomFieldDefinition } from '../rest/catalog.ts';

/** A label without case, accents and punctuation: `¿Cuándo?` becomes `cuando`. */
export const bareLabel = (label: string): string =>
  fold(label)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** @param labels in the form of `bareLabel`, the likeliest first */
export const fieldByLabel = (
  definitions: readonly CustomFieldDefinition[],
  labels: readonly string[],
): CustomFieldDefinition | undefined =>
  labels
    .map((label) => definitions.find((one) => bareLabel(one.label) === label))
    .find((found) => found !== undefined);

/** How to recognise the field of a role: its types, and its labels in the form of `bareLabel`, the likeliest first. */
export interface FieldPart {
  readonly types: readonly string[];
  readonly labels: readonly string[];
}

/** The field of a suitable type that a company calls so. */
export const fieldOfPart = (
  definitions: readonly CustomFieldDefinition[],
  { types, labels }: FieldPart,
): CustomFieldDefinition | undefined =>
  fieldByLabel(
    definitions.filter(({ data_type }) => types.includes(data_type)),
    labels,
  );

/** The name of a custom field in a record. */
export const customKey = ({ id }: Pick<CustomFieldDefinition, 'id'>): string =>
  `custom_field_${id}`;
