/** [ours] What a caller may see and change (decisions §12). http/mount.ts asks the table of the contract before a handler runs. */
import { levelWords, rules, type RuleName } from '../../../contract/rest/access/permissions.ts';
import { conditionRefusals, type Permission } from '../../../contract/rest/access/permissions.ts';
import type { Access } from '../../../contract/rest/access/levels.ts';
import { forbidden } from '../problem.ts';

/** With `--plain`, which has no levels. */
export const everything: Access = { level: 'admin', project_ids: null };

/** True if reports of others, and incidents without an own report, do not exist for the caller. */
export const seesOwnOnly = ({ level }: Access): boolean => rules.see_reports[level] === 'own';

export const seesProject = ({ project_ids }: Access, project_id: number): boolean =>
  project_ids === null || project_ids.includes(project_id);

interface Caller {
  readonly access: Access;
  readonly user_id: number;
}

/**
 * Requires that the caller created the record, unless its level may change everybody's.
 * @param creators the users who count as its creator
 * @throws Refusal 403
 */
export const requireOwn = (
  { access, user_id }: Caller,
  rule: RuleName,
  creators: readonly (number | null)[],
): void => {
  const condition = (rules[rule] as Permission)[access.level];
  if (condition === 'any' || creators.includes(user_id)) return;
  throw forbidden(
    `Your level in this company is "${levelWords[access.level]}". ${conditionRefusals.own}`,
  );
};
