/** Pure: who will see a report, by the job it is filed under. */
import type { Catalog } from '../../../contract/rest/catalog.ts';
import { words } from '../../words/words.ts';

/** More names than these are counted. */
const NAMED = 2;

interface Audience {
  /** True if the job is private. */
  readonly closed: boolean;
  /** For a chip: "You and 2 others". */
  readonly short: string;
  readonly sentence: string;
  /** Every name, if the sentence only counts them. */
  readonly names: string | undefined;
}

/** @returns null if no job is chosen, or if the server does not say who can see it */
export const audienceOf = (
  incidents: Catalog['incidents'],
  incident_id: number | null,
  me: string | undefined,
): Audience | null => {
  const t = words.capture.audience;
  if (incident_id === null) return null;
  const job = incidents.find(({ id }) => id === incident_id);
  // Other servers do not say which jobs are private.
  if (job?.private === undefined) return null;
  if (!job.private) return { closed: false, short: '', sentence: t.everyone, names: undefined };
  const others = job.visible_to?.filter((name) => name !== me);
  if (others === undefined)
    return { closed: true, short: t.listed_short, sentence: t.listed, names: undefined };
  if (others.length === 0)
    return { closed: true, short: t.only_you_short, sentence: t.only_you, names: undefined };
  const few = others.length <= NAMED;
  return {
    closed: true,
    short: t.others_short(others.length),
    sentence: few ? t.named(others) : t.others(others.length),
    names: few ? undefined : words.format.list(others),
  };
};
