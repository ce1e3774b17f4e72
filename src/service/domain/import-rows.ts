/** [ours] What every import shares: a row with its place, how it is read, and what is told of it (decisions §11.5). */
import type { z } from 'zod';
import { badTexts } from './bad-text.ts';
import { parseFields } from './field-errors.ts';
import type { FieldErrors } from './problem.ts';

/** One row: what it holds, and where it stands (`line 17`), for whoever reads of it. */
export interface ImportRow {
  readonly place: string;
  readonly value: unknown;
}

export interface ImportCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
}

/** Hears of each bad row. */
export type TellBad = (place: string, errors: FieldErrors) => void;

/** The rows of one import, a batch at a time. */
export interface Import {
  readonly add: (rows: readonly ImportRow[]) => Promise<void>;
  readonly counts: () => ImportCounts;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The row as its kind reads it, or what is wrong with it. */
export const readImportRow = <S extends z.ZodType>(
  schema: S,
  { value }: ImportRow,
): { readonly data: z.output<S> } | { readonly errors: FieldErrors } => {
  if (!isObject(value)) return { errors: { row: ['must be an object'] } };
  const unkept = badTexts(value);
  return Object.keys(unkept).length > 0 ? { errors: unkept } : parseFields(schema, value);
};
