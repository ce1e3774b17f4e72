/** Pure. Extracts from API responses the names of companies and projects, and the user's level in each company. */
import type { Level } from '../../contract/rest/access/levels.ts';
import { company } from '../../contract/rest/companies.ts';
import { companyRecordKinds } from '../../contract/rest/company-records.ts';
import { me } from '../../contract/rest/me.ts';

type Names = ReadonlyMap<number, string>;
export interface ResponseNames {
  readonly companies: Names;
  readonly projects: Names;
  /** Null on a server without levels. Empty if the response says nothing of them. */
  readonly levels: ReadonlyMap<number, Level | null>;
}

const none: Names = new Map();
const silent: ResponseNames = { companies: none, projects: none, levels: new Map() };
const namesOf = (rows: readonly { readonly id: number; readonly name: string }[]): Names =>
  new Map(rows.map(({ id, name }) => [id, name]));

export const namesIn = (endpoint: string, data: unknown): ResponseNames => {
  if (endpoint === 'me.show') {
    const read = me.safeParse(data);
    if (read.success)
      return {
        companies: namesOf(read.data.companies),
        projects: namesOf(read.data.projects),
        levels: new Map(read.data.companies.map(({ id, level }) => [id, level ?? null])),
      };
  }
  if (endpoint === 'company.show' || endpoint === 'company.update') {
    const read = company.safeParse(data);
    if (read.success) return { ...silent, companies: namesOf([read.data]) };
  }
  if (endpoint === 'projects.show' || endpoint === 'projects.update') {
    const read = companyRecordKinds.projects.shown.safeParse(data);
    if (read.success) return { ...silent, projects: namesOf([read.data]) };
  }
  return silent;
};
