/**
 * [ours] Which fields of a near miss a caller may change (decisions §12.3): all of own reports, photos and captions of them, or
 * only the answers to reports of others.
 */
import { answerParts, captionLabels, followUpParts } from '../../../contract/field-labels.ts';
import {
  conditionRefusals,
  levelWords,
  rules,
  type Permission,
} from '../../../contract/rest/access/permissions.ts';
import type { Access } from '../../../contract/rest/access/levels.ts';
import { type FieldPart, fieldOfPart } from '../../../contract/text/field-by-label.ts';
import { isNamed } from '../../../contract/text/is-named.ts';
import { holdsShift } from '../../store/access/shifts.ts';
import type { Db } from '../../store/engine/db.ts';
import { findPersonName } from '../../store/users.ts';
import { readDefinitions } from '../catalog.ts';
import type { Definitions, StoredFields } from '../near-misses/custom-fields.ts';
import { forbidden } from '../problem.ts';

interface Caller {
  readonly db: Db;
  readonly company_id: number;
  readonly project_id: number;
  readonly user_id: number;
  readonly login: string;
  readonly name: string;
  readonly access: Access;
  readonly now: number;
}

/** A change, before it is written. */
export interface ReportChange {
  readonly author_id: number;
  /** The stored custom fields, by definition id. */
  readonly had: StoredFields;
  /** Ids of the custom fields that get a new value. */
  readonly fields: readonly string[];
  /** True if a field that is neither a photo nor a custom field gets a new value. */
  readonly others: boolean;
}

const captions: FieldPart = { types: ['text'], labels: captionLabels };

const idsOf = (definitions: Definitions, parts: readonly FieldPart[]): readonly string[] =>
  parts.flatMap((part) => {
    const found = fieldOfPart([...definitions.values()], part);
    return found ? [String(found.id)] : [];
  });

/** "Follow-up by" holds a name as people write it: that of the user, of the user's person, or the login. */
const isAssignee = async (
  caller: Caller,
  definitions: Definitions,
  had: StoredFields,
): Promise<boolean> => {
  const [field] = idsOf(definitions, [followUpParts.who]);
  const said = field === undefined ? '' : (had[field] ?? '');
  if (said === '') return false;
  if (isNamed(said, [caller.name, caller.login])) return true;
  const person = await findPersonName(caller.db, caller.company_id, caller.login);
  return person !== undefined && isNamed(said, [person]);
};

const mayAnswer = async (caller: Caller, definitions: Definitions, change: ReportChange) =>
  (await isAssignee(caller, definitions, change.had)) ||
  holdsShift(caller.db, caller, caller.user_id, caller.now);

const answers: readonly FieldPart[] = [
  ...Object.values(followUpParts),
  ...Object.values(answerParts),
  captions,
];

/** @throws Refusal 403 */
export const requireUpdate = async (caller: Caller, change: ReportChange): Promise<void> => {
  const { access, user_id } = caller;
  const condition = (rules.update_report as Permission)[access.level];
  if (condition === 'any') return;
  const isOwn = change.author_id === user_id;
  if (condition === 'own_or_answers' && isOwn) return;
  const definitions = await readDefinitions(caller.db, caller);
  const allowed = idsOf(definitions, isOwn ? [captions] : answers);
  const fits = !change.others && change.fields.every((id) => allowed.includes(id));
  if (fits && (isOwn || (await mayAnswer(caller, definitions, change)))) return;
  throw forbidden(
    `Your level in this company is "${levelWords[access.level]}". ${conditionRefusals[condition ?? 'own']}`,
  );
};
