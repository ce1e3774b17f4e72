import type { FieldErrors } from './problem.ts';

/** Text that no database can keep: NUL, half a surrogate pair. PostgreSQL refuses it, SQLite keeps something else. */
export const isBadText = (text: string): boolean => !text.isWellFormed() || text.includes('\0');

/** What is wrong with the texts of one row or item of many, by field. */
export const badTexts = (value: object): FieldErrors =>
  Object.fromEntries(
    Object.entries(value).flatMap(([field, one]) =>
      [field, ...[one].flat()].some((text) => typeof text === 'string' && isBadText(text))
        ? [[field.toWellFormed().replaceAll('\0', ''), ['must be valid text without NUL']]]
        : [],
    ),
  );
