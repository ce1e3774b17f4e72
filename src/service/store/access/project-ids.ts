/**
 * The list of projects of a user, as text: `,1,2,`. One column instead of a table, because every request reads it with its token,
 * and both databases can search it with `like`.
 */
export const readProjectIds = (text: string | null): readonly number[] | null =>
  text === null ? null : text.split(',').filter(Boolean).map(Number);

export const writeProjectIds = (ids: readonly number[] | null): string | null =>
  ids === null ? null : `,${ids.map((id) => `${id},`).join('')}`;
