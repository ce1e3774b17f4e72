/**
 * What a report from the box brings to its form beside its draft: photos, which the form takes in like picked files, and the name,
 * which no draft may keep (decisions §4.12). In memory only; filing the report again brings them again.
 */
export interface Handed {
  readonly draft: string;
  readonly files: readonly File[];
  /** '' if the person gave none. */
  readonly name: string;
}

let handed: Handed | null = null;

export const handOver = (given: Handed): void => void (handed = given);

/** Takes what was handed to this draft, once. */
export const takeHanded = (draft: string | null): Handed | null => {
  if (handed === null || handed.draft !== draft) return null;
  const taken = handed;
  handed = null;
  return taken;
};
