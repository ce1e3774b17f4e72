/**
 * Arrays of ids in bodies (reference: bulk operations). Half a million bad ids must not become half a million messages
 * (failures S19), so an array is judged by hand: the first bad item is named, the others are not looked at.
 */
import { z } from 'zod';
import { described } from './described.ts';
import { id } from './endpoint.ts';

/** An id as JSON carries it. */
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

/** Every item must be an id. */
export const idArray = anyItems.transform(judged);

/** Only the first `count` items are looked at, and only they come out. */
export const firstIds = (count: number) =>
  anyItems.transform((value) => value.slice(0, count)).transform(judged);
