/** [ours] Whom an erasure concerns: the names to look for, and the account and people chosen by id (decisions §21.1). */
import type { ErasureSubject } from '../../../contract/rest/retention/erasures.ts';
import type { Db } from '../../store/engine/db.ts';
import { listMembers, listPeople } from '../../store/erasure/people.ts';
import { invalid } from '../problem.ts';
import { finderOf, type Finder } from './finder.ts';

export interface Subject {
  readonly finder: Finder;
  /** True if the person was chosen by an id: others with the same name are others. */
  readonly is_chosen: boolean;
  readonly user_id: number | null;
  readonly person_ids: ReadonlySet<number>;
}

/** A login that could be an ordinary word finds too much. */
const isSearched = (login: string): boolean => login.length > 2 && /[@._\d-]/.test(login);

/** @throws Refusal 422 if the user or person is not of this company */
export const subjectOf = async (
  db: Db,
  company_id: number,
  { user_id, person_id, name, also_called }: ErasureSubject,
): Promise<Subject> => {
  if (name !== undefined)
    return {
      finder: finderOf([name, ...also_called]),
      is_chosen: false,
      user_id: null,
      person_ids: new Set(),
    };
  const users = (await listMembers(db, company_id)).filter((one) => one.service_account === 0);
  const people = await listPeople(db, company_id, 'people');
  const chosen =
    user_id === undefined
      ? people.find(({ id }) => id === person_id)
      : users.find(({ id }) => id === user_id);
  if (!chosen)
    throw invalid({
      [`erasure.${user_id === undefined ? 'person_id' : 'user_id'}`]: [
        'does not exist in this company',
      ],
    });
  const { login } = chosen;
  const same = <T extends { readonly login: string }>(rows: readonly T[]): readonly T[] =>
    rows.filter((row) => (row as unknown) === chosen || (login !== '' && row.login === login));
  const all = [...same(users), ...same(people), chosen];
  const names = all.flatMap((one) => [one.name, ...(isSearched(one.login) ? [one.login] : [])]);
  return {
    finder: finderOf([...new Set([...names, ...also_called])]),
    is_chosen: true,
    user_id: same(users)[0]?.id ?? null,
    person_ids: new Set(same(people).map(({ id }) => id)),
  };
};
