/** Which custom field plays a part, told by what firms call it. Pure. */
import { fold } from '../../contract/fold.ts';
import type { CustomFieldDefinition } from '../../contract/rest/catalog.ts';

/** A label without case, accents and signs: `¿Cuándo?` is `cuando`. */
export const bareLabel = (label: string): string =>
  fold(label)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** @param labels as `bareLabel` writes them, the likeliest first */
export const fieldByLabel = (
  definitions: readonly CustomFieldDefinition[],
  labels: readonly string[],
): CustomFieldDefinition | undefined =>
  labels
    .map((label) => definitions.find((one) => bareLabel(one.label) === label))
    .find((found) => found !== undefined);
