/** Says the details of an administrative act, in the words of the window. Unknown details are left out. */
import { levels, type Level } from '../../../../contract/rest/access/levels.ts';
import type { AdminAct } from '../../../../contract/rest/evidence/admin-acts.ts';
import { words } from '../../../words/company-words.ts';
import { factsLine } from '../../../words/facts-line.ts';

const levelOf = (value: unknown): string | null => {
  const level = levels.find((one) => one === value) as Level | undefined;
  return level === undefined ? null : words.users.levels[level];
};

/** What a number was and is; null: it did not change. */
const choiceOf = (from: unknown, to: unknown): [number | null, number | null] | null => {
  const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
  return from === to ? null : [numberOf(from), numberOf(to)];
};

export const detailsOf = ({ details }: AdminAct): string => {
  const t = words.evidence.log;
  const [from, to] = [levelOf(details['level_from']), levelOf(details['level_to'])];
  const level = levelOf(details['level']);
  const { project_ids, active, with_names, number } = details;
  const chosen = (name: string) => choiceOf(details[`${name}_from`], details[`${name}_to`]);
  const [years, bin_days] = [chosen('years'), chosen('bin_days')];
  return factsLine([
    level && t.level(level),
    from && to && t.levels(from, to),
    project_ids === null && t.all_projects,
    Array.isArray(project_ids) && t.projects(project_ids.length),
    active === false && t.deactivated,
    active === true && t.reactivated,
    with_names === true && t.with_names,
    with_names === false && t.without_names,
    years && t.years(...years),
    bin_days && t.bin_days(...bin_days),
    typeof number === 'string' && t.report(number),
  ]);
};
