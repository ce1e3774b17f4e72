/** [ours] Shared by all imports: rows with their place, how they are parsed, and the result (decisions §11.5). */
import type { z } from 'zod';
import { badTexts } from './bad-text.ts';
import { parseFields } from './field-errors.ts';
import type { FieldErrors } from './problem.ts';

/** One row and its place in the file (`line 17`), for messages to people. */
export interface ImportRow {
  readonly place: string;
  readonly value: unknown;
}

export interface ImportCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
}

export type ReportErrors = (place: string, errors: FieldErrors) => void;

export interface Import {
  readonly add: (rows: readonly ImportRow[]) => Promise<void>;
  readonly counts: () => ImportCounts;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses a row by its kind's schema, or returns its errors. */
export const readImportRow = <S extends z.ZodType>(
  schema: S,
  { value }: ImportRow,
): { readonly data: z.output<S> } | { readonly errors: FieldErrors } => {
  if (!isObject(value)) return { errors: { row: ['must be an object'] } };
  const unkept = badTexts(value);
  return Object.keys(unkept).length > 0 ? { errors: unkept } : parseFields(schema, value);
};
