/** Pure: what companies and projects are called, as far as an answer of the API tells it. */
import { company } from '../contract/rest/companies.ts';
import { companyRecordKinds } from '../contract/rest/company-records.ts';
import { me } from '../contract/rest/me.ts';

type Names = ReadonlyMap<number, string>;
export interface ToldNames {
  readonly companies: Names;
  readonly projects: Names;
}

const none: Names = new Map();
const namesOf = (rows: readonly { readonly id: number; readonly name: string }[]): Names =>
  new Map(rows.map(({ id, name }) => [id, name]));

export const namesIn = (endpoint: string, data: unknown): ToldNames => {
  if (endpoint === 'me.show') {
    const read = me.safeParse(data);
    if (read.success)
      return { companies: namesOf(read.data.companies), projects: namesOf(read.data.projects) };
  }
  if (endpoint === 'company.show' || endpoint === 'company.update') {
    const read = company.safeParse(data);
    if (read.success) return { companies: namesOf([read.data]), projects: none };
  }
  if (endpoint === 'projects.show' || endpoint === 'projects.update') {
    const read = companyRecordKinds.projects.shown.safeParse(data);
    if (read.success) return { companies: none, projects: namesOf([read.data]) };
  }
  return { companies: none, projects: none };
};
