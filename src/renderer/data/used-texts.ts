/** What people wrote into a field of this project before: offered while it is typed again. */
import type { Deps } from './db.ts';
import type { Scope } from './near-miss-index.ts';

/** Rows looked at, newest first: places that nobody has named for long are none of today's. */
const LOOKED_AT = 300;
/** As many as a person looks through. */
const OFFERED = 20;

/** The texts of a custom field (`custom_field_7`), the most used first; each as it was written last, whatever its case. */
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
