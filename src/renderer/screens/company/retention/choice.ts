/** Pure: what is chosen in the form of retention, and what it means. */
import {
  BIN_DAYS,
  YEARS,
  type Retention,
  type RetentionPreview,
} from '../../../../contract/rest/retention/retention.ts';
import { words } from '../../../words/company-words.ts';

const PRESETS = { uk: 3, us: 5 } as const;
export type Years = 'off' | keyof typeof PRESETS | 'own';
export type BinDays = 'off' | '30' | '60' | '90' | 'own';

export interface Chosen {
  readonly years: Years;
  /** As typed. */
  readonly years_own: string;
  readonly bin: BinDays;
  readonly bin_own: string;
}

export const chosenOf = ({ years, bin_days }: Retention): Chosen => {
  const bin = ['30', '60', '90'].find((one) => one === String(bin_days)) as BinDays | undefined;
  return {
    years: years === null ? 'off' : years === 3 ? 'uk' : years === 5 ? 'us' : 'own',
    years_own: years === null ? '' : String(years),
    bin: bin_days === null ? 'off' : (bin ?? 'own'),
    bin_own: bin_days === null ? '' : String(bin_days),
  };
};

/** Undefined: no such number. */
const typed = (text: string, { min, max }: typeof YEARS | typeof BIN_DAYS): number | undefined => {
  const value = /^\d{1,2}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
};

/** Undefined: a number that was typed cannot be. */
export const yearsOf = ({ years, years_own }: Chosen): number | null | undefined => {
  if (years === 'off') return null;
  return years === 'own' ? typed(years_own, YEARS) : PRESETS[years];
};

/** Undefined: a number that was typed cannot be. */
export const binDaysOf = ({ bin, bin_own }: Chosen): number | null | undefined => {
  if (bin === 'off') return null;
  return typed(bin === 'own' ? bin_own : bin, BIN_DAYS);
};

/** Null: a number that was typed cannot be. */
export const retentionOf = (chosen: Chosen): Retention | null => {
  const [years, bin_days] = [yearsOf(chosen), binDaysOf(chosen)];
  return years === undefined || bin_days === undefined ? null : { years, bin_days };
};

/** What a preview counts, in sentences. Counts of nothing are left out. */
export const sentencesOf = (preview: RetentionPreview): readonly string[] => {
  const t = words.retention;
  const { anonymise, held, hidden } = preview;
  const counted = [
    [anonymise.now, t.anonymise_now],
    [anonymise.soon, t.anonymise_soon],
    [preview.delete.now, t.delete_now],
    [preview.delete.soon, t.delete_soon],
    [held, t.held],
    [hidden, t.hidden],
  ] as const;
  const said = counted.flatMap(([n, say]) => (n === 0 ? [] : [say(n)]));
  return said.length === 0 ? [t.nothing] : said;
};
