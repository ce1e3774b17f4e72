/** [ours] When a near miss is due to be anonymised, and when to be deleted from the recycle bin (decisions §20.2, §20.4). Pure. */
import { whenPart } from '../../../contract/field-labels.ts';
import type { Retention } from '../../../contract/rest/retention/retention.ts';
import { fieldOfPart } from '../../../contract/text/field-by-label.ts';
import type { Definitions, StoredFields } from '../near-misses/custom-fields.ts';

export const DAY_MS = 86_400_000;

/**
 * Nothing is anonymised in the first days after it was filed: reports from another system may be old when they come, and somebody must
 * be able to hold them.
 */
const GRACE_DAYS = 30;

/** The custom field with the time of the event. */
export const whenFieldOf = (definitions: Definitions): number | undefined =>
  fieldOfPart([...definitions.values()], whenPart)?.id;

/** @param years less than 0: before */
export const yearsFrom = (ms: number, years: number): number => {
  const date = new Date(ms);
  return date.setUTCFullYear(date.getUTCFullYear() + years);
};

interface Dated {
  readonly created_at: number;
  /** Of the incident. */
  readonly event_date: number | null;
  readonly custom_fields: string;
}

/** The time of the event: as the report says, else that of its incident, else when it was filed. Nothing is filed before it happens. */
const eventOf = (
  { created_at, event_date, custom_fields }: Dated,
  when: number | undefined,
): number => {
  const said =
    when === undefined
      ? Number.NaN
      : Date.parse((JSON.parse(custom_fields) as StoredFields)[String(when)] ?? '');
  return Math.min(Number.isNaN(said) ? (event_date ?? created_at) : said, created_at);
};

export interface Due {
  readonly act: 'anonymise' | 'delete';
  readonly at: number;
}

/** What comes first; null: nothing. */
export const dueOf = (
  row: Dated & { readonly deleted_at: number | null; readonly anonymised_at?: number | null },
  { years, bin_days }: Retention,
  when: number | undefined,
): Due | null => {
  const deletion: Due[] =
    bin_days === null || row.deleted_at === null
      ? []
      : [{ act: 'delete', at: row.deleted_at + bin_days * DAY_MS }];
  const anonymisation: Due[] =
    years === null || typeof row.anonymised_at === 'number'
      ? []
      : [
          {
            act: 'anonymise',
            at: Math.max(
              yearsFrom(eventOf(row, when), years),
              row.created_at + GRACE_DAYS * DAY_MS,
            ),
          },
        ];
  // A report that is due to both is deleted.
  return [...deletion, ...anonymisation].toSorted((a, b) => a.at - b.at)[0] ?? null;
};
