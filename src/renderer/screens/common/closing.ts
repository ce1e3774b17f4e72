/** Navigation state for the edit form of a follow-up marked as done. New photos there default to "after". */
export const CLOSING = { photos: 'after' } as const;

/** @param state the navigation state from the history */
export const isClosing = (state: unknown): boolean =>
  (state as Partial<typeof CLOSING> | null)?.photos === CLOSING.photos;
