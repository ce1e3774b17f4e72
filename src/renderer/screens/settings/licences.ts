/** Third-party packages that Spotter ships. Loaded on demand, searchable by name or licence. */
import { z } from 'zod';

const listSchema = z.object({
  packages: z.array(
    z.object({ name: z.string(), version: z.string(), licence: z.string(), text: z.number() }),
  ),
  texts: z.array(z.string()),
});

export interface Licence {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Empty if the package ships no licence text. */
  readonly text: string;
}

export const readLicences = async (): Promise<readonly Licence[]> => {
  const { default: text } = await import('../../licences.json?raw');
  const { packages, texts } = listSchema.parse(JSON.parse(text));
  return packages.map((one) => ({ ...one, text: texts[one.text] ?? '' }));
};

/** The packages with every word of `query` in their name or licence. */
export const licencesWith = (all: readonly Licence[], query: string): readonly Licence[] => {
  const wanted = query.toLowerCase().split(/\s/).filter(Boolean);
  return all.filter(({ name, licence }) => {
    const text = `${name} ${licence}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
};
