/** OpenAPI descriptions for values that handwritten code validates instead of their schema. */
import { z } from 'zod';

export const described = (schema: z.ZodType): Readonly<Record<string, unknown>> => {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: 'input' });
  return shape;
};

/**
 * For `.meta()` of a query parameter. On the wire it is text; the OpenAPI page shows an integer or a list of integers with these
 * bounds.
 */
export const asQuery = (shape: Readonly<Record<string, unknown>>) => ({ 'x-query': shape });

/** Filters of a list. Strict, because ignoring a misspelt filter would show every row. */
export const filtersOf = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, { error: 'must name what is filtered: filters[name]=value' });
