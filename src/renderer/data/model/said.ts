/** Selects what stands on the sheet "You said, we did" of a week (decisions §4.10). Pure. */
import type { NearMissRow } from '../db/db.ts';
import { answerOf, type AnswerFields } from './answer.ts';

export interface SaidWeek {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/**
 * Reports with a line of what was done, whose answer falls in the week: by the moment in `Seen`, else by the report's own. The
 * first answered come first.
 * @param isHidden true for a private job
 */
export const saidIn = (
  rows: readonly NearMissRow[],
  fields: AnswerFields,
  { from, to }: SaidWeek,
  isHidden: (row: NearMissRow) => boolean,
): readonly NearMissRow[] =>
  rows
    .map((row) => ({ row, answer: answerOf(row.fields, fields) }))
    .map(({ row, answer }) => ({ row, what: answer.what, at: answer.seen_at ?? row.created_at }))
    .filter(({ row, what, at }) => what !== '' && at >= from && at < to && !isHidden(row))
    .sort((a, b) => a.at - b.at)
    .map(({ row }) => row);
