/** Pure: the level of a severity by its place in the catalog, for the one scale of sign, bar, word and colour. */

export type SeverityLevel = 1 | 2 | 3;

/**
 * The first option is 1, the last is 3, every option between is 2. A single option is 3.
 * @param options mildest first
 * @returns null for a value that is no option
 */
export function severityLevel(
  value: string | null | undefined,
  options: readonly string[],
): SeverityLevel | null {
  const at = options.indexOf(value ?? '');
  if (at < 0) return null;
  if (at === options.length - 1) return 3;
  return at === 0 ? 1 : 2;
}
