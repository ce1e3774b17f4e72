/**
 * The key of a near miss in a link from a server's mail: `at-1-2-57-12-3` is company 1, project 2, id 57, number 12-3. A window's own
 * keys never begin with `at-`. The window compares the number too, because another server may have the same ids (decisions §16.7).
 */
export interface NearMissAddress {
  readonly company_id: number;
  readonly project_id: number;
  readonly id: number;
  /** `12-3` */
  readonly number: string;
}

const ID = '([1-9]\\d{0,14})';
const KEY = new RegExp(`^at-${ID}-${ID}-${ID}-(${ID}-${ID})$`);

export const linkKeyOf = ({ company_id, project_id, id, number }: NearMissAddress): string =>
  `at-${company_id}-${project_id}-${id}-${number}`;

/** Null for the key of a record on this laptop, and for any other text. */
export const readLinkKey = (key: string): NearMissAddress | null => {
  const [, company, project, id, number] = KEY.exec(key) ?? [];
  if (number === undefined) return null;
  return { company_id: Number(company), project_id: Number(project), id: Number(id), number };
};

/** What the system hands to the app. */
export const linkOf = (key: string): string => `spotter://near-misses/${key}`;
