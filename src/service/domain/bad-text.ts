import type { FieldErrors } from './problem.ts';

/** True for text that a database cannot store: NUL, unpaired surrogates. PostgreSQL rejects it; SQLite silently alters it. */
export const isBadText = (text: string): boolean => !text.isWellFormed() || text.includes('\0');

/** Errors for bad texts in one row or item of a list, by field. */
export const badTexts = (value: object): FieldErrors =>
  Object.fromEntries(
    Object.entries(value).flatMap(([field, one]) =>
      [field, ...[one].flat()].some((text) => typeof text === 'string' && isBadText(text))
        ? [[field.toWellFormed().replaceAll('\0', ''), ['must be valid text without NUL']]]
        : [],
    ),
  );
