/** Links from a figure to the near misses it counts. */
import { weeksLater, type Dimension, type Group } from '../../data/index/insights.ts';
import { showInList } from '../../state/near-misses/show-in-list.ts';

/** Undefined if any group is "not recorded", because the list has no such filter. */
export const showGroups = (
  groups: readonly (readonly [Dimension, Group])[],
  from: number | null,
): (() => void) | undefined => {
  if (groups.some(([, group]) => group.id === null)) return undefined;
  const ids = Object.fromEntries(groups.map(([name, { id }]) => [`${name}_id`, [id ?? 0]]));
  return () => showInList({ ids, from });
};

export const showWeek = (start: number): void =>
  showInList({ from: start, until: weeksLater(start, 1) });

/** The near misses with this value of a custom field. */
export const showOption = (field: string, value: string, from: number | null) => (): void =>
  showInList({ texts: { [field]: value }, from });
