/**
 * Validates arrays of ids in bodies by hand (reference: bulk operations). Half a million bad ids must not become half a million
 * messages (failures S19), so validation stops at the first bad item and names it.
 */
import { z } from 'zod';
import { described } from './described.ts';
import { id } from './endpoint.ts';

const isId = (value: unknown): value is number => id.safeParse(value).success;

const anyItems = z.array(z.unknown()).meta({ items: described(id) });

const judged = (value: readonly unknown[], context: z.RefinementCtx): number[] => {
  const at = value.findIndex((item) => !isId(item));
  if (at < 0) return value as number[];
  context.addIssue({
    code: 'custom',
    path: [at],
    message: 'must be a positive integer',
    input: value[at],
  });
  return z.NEVER;
};

export const idArray = anyItems.transform(judged);

/** Validates and returns only the first `count` items. */
export const firstIds = (count: number) =>
  anyItems.transform((value) => value.slice(0, count)).transform(judged);
