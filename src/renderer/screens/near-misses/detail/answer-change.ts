/** Pure: the edit that answers a near miss (decisions §4.10). */
import { customKey } from '../../../../contract/text/field-by-label.ts';
import { writeSeen } from '../../../../contract/text/seen.ts';
import type { NearMissFields } from '../../../data/db/db.ts';
import type { AnswerFields } from '../../../data/model/answer.ts';

/** The field change of a press on *Seen*, or of a new line. '' clears a part; omitted parts stay unchanged. */
export const answerChange = (
  fields: AnswerFields,
  to: {
    readonly seen?: { readonly by: string; readonly at: number } | null;
    readonly what?: string;
  },
): Pick<NearMissFields, 'custom_fields'> => ({
  custom_fields: {
    ...(to.seen === undefined
      ? {}
      : { [customKey(fields.seen)]: to.seen && writeSeen(to.seen.by, to.seen.at) }),
    ...(to.what === undefined ? {} : { [customKey(fields.what)]: to.what.trim() || null }),
  },
});
