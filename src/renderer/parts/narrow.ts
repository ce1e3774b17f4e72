/** Filters the options of Lookup.svelte by typed text. */
import { fold } from '../../contract/text/fold.ts';

export interface LookupOption {
  readonly id: number;
  readonly name: string;
  readonly note?: string | undefined;
}

/** Maximum number of rendered options. Others are found by typing. */
export const SHOWN = 100;

/** Options that contain every word of the text in name or note, ignoring case and accents. */
export const narrow = (options: readonly LookupOption[], text: string): readonly LookupOption[] => {
  const parts = fold(text).split(/\s+/).filter(Boolean);
  if (parts.length === 0) return options;
  return options.filter((option) => {
    const name = fold(`${option.name} ${option.note ?? ''}`);
    return parts.every((part) => name.includes(part));
  });
};
