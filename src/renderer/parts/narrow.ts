/** Narrowing a list of choices by what is typed, for Lookup.svelte. */
import { fold } from '../../contract/fold.ts';

export interface LookupOption {
  readonly id: number;
  readonly name: string;
  readonly note?: string | undefined;
}

/** At most this many are drawn at once: the rest is reached by typing. */
export const SHOWN = 100;

/** Every word of the text somewhere in name or note, whatever the case and accents. */
export const narrow = (options: readonly LookupOption[], text: string): readonly LookupOption[] => {
  const parts = fold(text).split(/\s+/).filter(Boolean);
  if (parts.length === 0) return options;
  return options.filter((option) => {
    const name = fold(`${option.name} ${option.note ?? ''}`);
    return parts.every((part) => name.includes(part));
  });
};
