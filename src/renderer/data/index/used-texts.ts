/** Suggests texts that people entered before into a field of this project. */
import type { Deps } from '../db/db.ts';
import type { Scope } from './near-miss-index.ts';

/** Rows to search, newest first: a place not named for long is no longer current. */
const LOOKED_AT = 300;
/** Maximum number of suggestions. */
const OFFERED = 20;

/** The texts of a custom field (`custom_field_7`), most used first. Case is ignored; the latest spelling is shown. */
export const usedTexts = async (
  { db }: Pick<Deps, 'db'>,
  { account, project_id }: Scope,
  field: string,
): Promise<readonly string[]> => {
  const rows = await db.near_misses
    .where('[account+project_id+bin+created_at]')
    .between([account, project_id, 0, -Infinity], [account, project_id, 0, Infinity])
    .reverse()
    .limit(LOOKED_AT)
    .toArray();
  const texts = rows
    .map(({ fields }) => fields.custom_fields[field])
    .filter((text) => typeof text === 'string')
    .map((text) => text.trim())
    .filter((text) => text !== '');
  return [...Map.groupBy(texts, (text) => text.toLocaleLowerCase()).values()]
    .sort((a, b) => b.length - a.length)
    .flatMap(([newest = '']) => newest)
    .slice(0, OFFERED);
};
