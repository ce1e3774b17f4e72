/** Pure: how the places of an erasure are grouped, called and chosen. */
import {
  choicesOf,
  type ErasureAct,
  type ErasureHit,
  type ErasureProof,
} from '../../../../contract/rest/retention/erasures.ts';
import { words } from '../../../words/company-words.ts';

type Place = Pick<ErasureHit, 'kind' | 'resource' | 'field' | 'number'> & {
  readonly label?: string | null;
};

/** The heading under which a place stands. */
export const groupOf = ({ kind, resource, number }: Place): string => {
  const t = words.erasure.groups;
  if (resource === 'near_misses') return t.report(number ?? '');
  if (kind === 'incident') return t.incident(number ?? '');
  if (kind === 'company_data') return t.company;
  if (kind === 'file_name') return t.files;
  if (kind === 'access') return t.access;
  return kind === 'copy' ? t.copies : t.account;
};

export const nameOf = ({ kind, resource, field, label }: Place): string => {
  const t = words.erasure;
  if (kind === 'copy') return t.copies[resource] ?? t.kinds.copy;
  if (['report', 'incident', 'company_data', 'access'].includes(kind))
    return label ?? t.fields[field] ?? t.kinds[kind];
  return t.kinds[kind];
};

export type Choices = ReadonlyMap<string, ErasureAct>;

export const choiceOf = (choices: Choices, hit: ErasureHit): ErasureAct =>
  hit.held === null ? (choices.get(hit.id) ?? hit.proposed) : 'keep';

/** @param act for every place that takes it; null: as proposed */
export const chooseAll = (hits: readonly ErasureHit[], act: ErasureAct | null): Choices =>
  new Map(
    hits.flatMap((hit) => {
      const taken = act === null || choicesOf(hit.kind).includes(act);
      // Of a history entry and a photo nothing else can be done.
      const other = choicesOf(hit.kind)[0] ?? 'keep';
      return [[hit.id, act === null ? hit.proposed : taken ? act : other] as const];
    }),
  );

export interface Group<T> {
  readonly title: string;
  readonly places: readonly T[];
}

export const grouped = <T extends Place>(all: readonly T[]): Group<T>[] =>
  [...Map.groupBy(all, groupOf)].map(([title, places]) => ({ title, places }));

/** Places that are done, and all. */
export const progressOf = ({ counts }: Pick<ErasureProof, 'counts'>) => {
  const waiting = counts.reduce((sum, one) => sum + one.waiting, 0);
  const all = counts.reduce(
    (sum, one) => sum + one.waiting + one.erased + one.pseudonymised + one.refused,
    0,
  );
  return { done: all - waiting, all };
};
