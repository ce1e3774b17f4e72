/**
 * Checks the fields of a resource against the reference's tables: exactly those, each of its type. The test names additional
 * [ours] fields.
 */
import { expect } from 'vitest';

type Check = (value: unknown) => boolean;
export const matches =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
export const integer: Check = (value) => Number.isInteger(value);
export const string: Check = (value) => typeof value === 'string';
export const boolean: Check = (value) => typeof value === 'boolean';
export const nothing: Check = (value) => value === null;
export const date = matches(/^\d{4}-\d{2}-\d{2}$/);
export const utc = matches(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/);
export const address: Check = (value) => typeof value === 'string' && URL.canParse(value);
export const object =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) => {
    if (typeof value !== 'object' || value === null) return false;
    expect(Object.keys(value).sort()).toEqual(Object.keys(fields).sort());
    return Object.entries(fields).every(([name, check]) => {
      const good = check((value as Record<string, unknown>)[name]);
      expect(good, `${name}: ${JSON.stringify((value as Record<string, unknown>)[name])}`).toBe(
        true,
      );
      return good;
    });
  };
export const texts: Check = (value) =>
  typeof value === 'object' && value !== null && Object.values(value).every(string);

/** Expects exactly these fields, each of its type. `ours`: additions of the decisions, tested elsewhere. */
export const expectFields = (
  value: Record<string, unknown>,
  fields: Readonly<Record<string, Check>>,
  ours: readonly string[] = [],
): void => {
  const own = Object.entries(value).filter(([name]) => !ours.includes(name));
  object(fields)(Object.fromEntries(own));
};
