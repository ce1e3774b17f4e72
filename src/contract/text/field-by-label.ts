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
