/**
 * Shares previews in progress, by `photo_id`. A preview is made after the photo's bytes are on disk, and nothing waits
 * for it. A screen that needs the same picture joins it instead of decoding again.
 */

/** `none`: this window cannot make one and is not asked again. Null: it failed this time. */
export type Preview = Blob | 'none' | null;

const coming = new Map<string, Promise<Preview>>();
const without = new Set<string>();

/** Joins the preview in progress, or starts `make`. Never fails. */
export const previewOf = async (
  photo_id: string,
  make: () => Promise<Preview>,
): Promise<Blob | null> => {
  if (without.has(photo_id)) return null;
  const making = coming.get(photo_id) ?? begin(photo_id, make);
  const made = await making;
  return made === 'none' ? null : made;
};

const begin = (photo_id: string, make: () => Promise<Preview>): Promise<Preview> => {
  const making = make()
    .catch(() => null)
    .then((made) => {
      coming.delete(photo_id);
      if (made === 'none') without.add(photo_id);
      return made;
    });
  coming.set(photo_id, making);
  return making;
};
