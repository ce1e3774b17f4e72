/** What a schema looks like to a reader of the OpenAPI page, for values that are judged by hand and not by that schema. */
import { z } from 'zod';

export const described = (schema: z.ZodType): Readonly<Record<string, unknown>> => {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: 'input' });
  return shape;
};

/**
 * For `.meta()` of a query parameter: on the wire it is text, to a reader of the OpenAPI page an integer or a list of them, with these
 * bounds.
 */
export const asQuery = (shape: Readonly<Record<string, unknown>>) => ({ 'x-query': shape });

/** What a list may be filtered by. A filter that there is not is refused, so that a misspelt one never shows everything. */
export const filtersOf = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, { error: 'must name what is filtered: filters[name]=value' });
