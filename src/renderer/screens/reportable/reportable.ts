/**
 * The rules of a country about what has to be reported to an authority, and what they say of one near miss. The rules are data
 * with a date and sources (`resources/reportable`). They hint and never decide: a person says which rule applies.
 */
import { z } from 'zod';
import { languages } from '../../../contract/languages.ts';
import { bareLabel } from '../../../contract/text/field-by-label.ts';

/** A text in every language of the window. */
const said = z.record(z.enum(languages), z.string().min(1));
export type Said = z.infer<typeof said>;

/** Facts that a form asks for. Spotter knows the first four; a person fills in the others. */
const factNames = [
  'when',
  'where',
  'what',
  'action',
  'establishment',
  'employer',
  'equipment',
  'substance',
  'injured',
  'injury',
  'contact',
] as const;
export type FactName = (typeof factNames)[number];

const clock = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('at_once') }),
  z.strictObject({ kind: z.literal('hours'), hours: z.number().int().positive() }),
  /** Calendar days after the day of the event. */
  z.strictObject({ kind: z.literal('days'), days: z.number().int().positive() }),
]);
type Clock = z.infer<typeof clock>;

const rule = z.strictObject({
  id: z.string().regex(/^[a-z-]+$/),
  title: said,
  /** What the law counts, in words that a supervisor understands. */
  means: said,
  /** Beginnings of words, in lower case, that point to this rule in a report. */
  words: z.array(z.string().regex(/^[\p{Ll} -]+$/u)).min(1),
  clock,
  /** True if the authority wants to hear of it immediately, whatever the clock says. */
  at_once: z.boolean(),
  to: said,
  how: said,
  facts: z.array(z.enum(factNames)).min(1),
});
export type Rule = z.infer<typeof rule>;

const rulesSchema = z.strictObject({
  country: z.enum(['uk', 'us', 'se']),
  name: said,
  law: said,
  /** Who has to report. */
  who: said,
  note: said,
  /** The days on which the rules were compared with their sources, and by which they should be compared again. */
  checked: z.iso.date(),
  check_again: z.iso.date(),
  sources: z.array(z.strictObject({ title: z.string(), address: z.string() })).min(1),
  rules: z.array(rule).min(1),
});
export type Rules = z.infer<typeof rulesSchema>;
export type Country = Rules['country'];
export const countries = ['uk', 'us', 'se'] as const satisfies readonly Country[];

const files = import.meta.glob<unknown>('../../../../resources/reportable/*.json', {
  import: 'default',
});

/** Reads the rules of a country, which are part of the program. */
export async function rulesOf(country: Country): Promise<Rules> {
  const read = files[`../../../../resources/reportable/${country}.json`];
  if (read === undefined) throw new Error(`no rules of ${country}`);
  return rulesSchema.parse(await read());
}

const TIME_ZONES: readonly (readonly [RegExp, Country])[] = [
  [/^Europe\/(London|Belfast|Jersey|Guernsey|Isle_of_Man)$/, 'uk'],
  [/^Europe\/Stockholm$/, 'se'],
  // Canada, Mexico and the rest of America have other laws.
  [
    /^(US\/.*|Pacific\/Honolulu|America\/(New_York|Detroit|Chicago|Menominee|Denver|Boise|Phoenix|Los_Angeles|Anchorage|Juneau|Sitka|Metlakatla|Yakutat|Nome|Adak|Puerto_Rico|Louisville|Indianapolis|Fort_Wayne|(Indiana|Kentucky|North_Dakota)\/.*))$/,
    'us',
  ],
];

/** The country that the region of a locale or else the time zone points to; null if neither does. */
export function guessCountry(locale: string, time_zone: string): Country | null {
  const regions: Readonly<Record<string, Country>> = { GB: 'uk', US: 'us', SE: 'se' };
  const region = /-([A-Z]{2})\b/.exec(locale)?.[1] ?? '';
  return regions[region] ?? TIME_ZONES.find(([zone]) => zone.test(time_zone))?.[1] ?? null;
}

/** Rules that a word of the text points to, in their order. Many write without accents. */
export function pointedTo(rules: readonly Rule[], text: string): readonly Rule[] {
  const folded = ` ${bareLabel(text)}`;
  return rules.filter((one) => one.words.some((word) => folded.includes(` ${bareLabel(word)}`)));
}

/**
 * The end of the time for a report, in milliseconds since the epoch; null if the law says only "at once". Days end at local
 * midnight.
 */
export function deadline(of: Clock, event_at: number): number | null {
  if (of.kind === 'at_once') return null;
  if (of.kind === 'hours') return event_at + of.hours * 3_600_000;
  const day = new Date(event_at);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + of.days + 1).getTime() - 1;
}

/** Noon of a date of the rules, in milliseconds since the epoch. */
export const dayOf = (date: string): number => Date.parse(`${date}T12:00:00`);

/** True once the day has passed by which the rules should have been compared with their sources again. */
export const isStale = ({ check_again }: Pick<Rules, 'check_again'>, now: number): boolean =>
  dayOf(check_again) + 43_200_000 < now;
