/** Finds the answer to the near miss that has a code (decisions §4.12). Gives nothing else of the near miss. */
import { Dexie } from 'dexie';
import { answerOf, type AnswerFields } from '../model/answer.ts';
import { readAnswerCode } from '../../../contract/text/answer-code.ts';
import { whoSawOf, type WhoSawFields } from '../model/who-saw.ts';
import type { Deps } from '../db/db.ts';

export interface CodeAnswer {
  /** Milliseconds. */
  readonly reported_at: number;
  /** '' if there is no answer yet. */
  readonly what: string;
}

interface Question {
  readonly saw: WhoSawFields;
  readonly answer: AnswerFields;
  /** As `readAnswerCode` gives it. */
  readonly code: string;
}

/**
 * Searches all projects of the account on this laptop, and the recycle bin: whoever holds the slip did not recycle the report. Two
 * reports may have got the same code, on two laptops; both are answered.
 */
export const answersForCode = async (
  { db }: Pick<Deps, 'db'>,
  account: string,
  { saw, answer, code }: Question,
): Promise<readonly CodeAnswer[]> => {
  const rows = await db.near_misses
    .where('[account+project_id+bin+created_at]')
    .between([account, Dexie.minKey], [account, Dexie.maxKey])
    .filter(({ fields }) => readAnswerCode(whoSawOf(fields, saw).code) === code)
    .toArray();
  return rows.map(({ fields, created_at }) => ({
    reported_at: created_at,
    what: answerOf(fields, answer).what,
  }));
};
