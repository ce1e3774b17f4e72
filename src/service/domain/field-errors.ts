/**
 * Converts schema errors to API messages by dotted field name (decisions §1.2). http/ uses it for whole bodies; lists use it
 * per item, so that one bad item does not fail the others (decisions §8).
 */
import type { z } from 'zod';

const MAX_FIELDS = 20;

/** Replaces Zod's messages, which address programmers, by messages for the person who filled in the field. */
const plainWords = (issue: z.core.$ZodRawIssue): string | undefined => {
  if (issue.input === undefined && issue.code !== 'unrecognized_keys') return 'is required';
  if (issue.code === 'invalid_type') {
    if (issue.expected === 'int') return 'must be a whole number';
    if (issue.expected === 'record') return 'must be an object';
    const article = /^[aeio]/.test(issue.expected) ? 'an' : 'a';
    return `must be ${article} ${issue.expected}`;
  }
  if (issue.code === 'too_small' && (issue.origin === 'array' || issue.origin === 'string'))
    return 'must not be empty';
  if (issue.code === 'too_small' && (issue.origin === 'number' || issue.origin === 'int'))
    return `must be ${issue.inclusive === true ? 'at least' : 'more than'} ${String(issue.minimum)}`;
  if (issue.code === 'too_big' && (issue.origin === 'number' || issue.origin === 'int'))
    return `must be at most ${String(issue.maximum)}`;
  if (issue.code === 'too_big' && issue.origin === 'array')
    return `must hold at most ${String(issue.maximum)} items`;
  if (issue.code === 'too_big' && issue.origin === 'string')
    return `must have at most ${String(issue.maximum)} characters`;
  if (issue.code === 'invalid_format' && issue.format === 'datetime')
    return 'must be a date and time with zone, such as 2026-01-31T08:15:00Z';
  return undefined;
};

const dottedErrors = (error: z.ZodError): Record<string, string[]> => {
  // A Map, because a client may name a field `constructor`, which every plain object inherits.
  const out = new Map<string, Set<string>>();
  const add = (path: readonly PropertyKey[], message: string): void => {
    const name = path.map(String).join('.').slice(0, 200) || 'body';
    out.set(name, (out.get(name) ?? new Set()).add(message));
  };
  for (const issue of error.issues.slice(0, MAX_FIELDS)) {
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys.slice(0, MAX_FIELDS)) add([...issue.path, key], 'is unknown');
    else add(issue.path, issue.message);
  }
  return Object.fromEntries([...out].map(([name, messages]) => [name, [...messages]]));
};

export const parseFields = <S extends z.ZodType>(
  schema: S,
  value: unknown,
): { readonly data: z.output<S> } | { readonly errors: Record<string, string[]> } => {
  const parsed = schema.safeParse(value, { error: plainWords });
  return parsed.success ? { data: parsed.data } : { errors: dottedErrors(parsed.error) };
};
