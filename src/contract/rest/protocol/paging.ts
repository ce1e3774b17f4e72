/** `page` and `per_page`, and the paging headers of a list (reference: Pagination; decisions §2.1-2.2). */
import { z } from 'zod';
import { asQuery } from './described.ts';

export const PER_PAGE_DEFAULT = 100;
export const PER_PAGE_MAX = 10_000;

const whole = (standard: number, max: number) =>
  z
    .string({ error: 'must be one integer' })
    .regex(/^[1-9]\d*$/, 'must be a positive integer')
    .transform(Number)
    .refine((value) => value <= max, `must be at most ${max}`)
    .meta(asQuery({ type: 'integer', minimum: 1, maximum: max, default: standard }))
    .default(standard);

export const pagingQuery = {
  page: whole(1, Number.MAX_SAFE_INTEGER),
  per_page: whole(PER_PAGE_DEFAULT, PER_PAGE_MAX),
};

/** Paging as read from a list's headers. `total` and `per_page` are null if the server sent none. */
export const paging = z.object({
  per_page: z.number().int().nullable(),
  total: z.number().int().nullable(),
  /** True if `Link` or the counts show a next page. */
  has_next: z.boolean(),
});
export type Paging = z.infer<typeof paging>;
