/** Pure: the facts of one near miss, arranged for paper. Persons are left out unless `names` is true. */
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import type { NearMissRow } from '../../data/db/db.ts';
import { words } from '../../words/words.ts';
import { traitsOf, type Fact } from '../../near-miss-form/view.ts';

export interface ReportTexts {
  readonly number: string;
  readonly severity: Fact | undefined;
  /** The immediate action; '' if none is recorded. */
  readonly action: string;
  /** Facts in the first line: when, where, and the job or area. */
  readonly first: readonly Fact[];
  readonly rest: readonly Fact[];
}

const numberOf = ({ full_number }: Pick<NearMissRow, 'full_number'>): string =>
  full_number ? words.detail.number(full_number) : words.detail.no_number;

export const reportTextsOf = (
  row: NearMissRow,
  definitions: readonly CustomFieldDefinition[],
  names: boolean,
): ReportTexts => {
  const t = words.detail;
  const { when, where } = words.capture;
  const facts = traitsOf(row, definitions);
  const incident: readonly Fact[] =
    row.names.incident === '' ? [] : [{ name: t.incident, value: row.names.incident }];
  const others = facts.filter(({ part }) => part === undefined || (names && part === 'person'));
  const leads = (fact: Fact): boolean => fact.name === when || fact.name === where;
  return {
    number: numberOf(row),
    severity: facts.find(({ part }) => part === 'severity'),
    action: facts.find(({ part }) => part === 'action')?.value ?? '',
    first: [...others.filter(leads), ...incident],
    rest: others.filter((fact) => !leads(fact)),
  };
};
