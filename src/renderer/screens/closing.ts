/** What goes with an address that leads to the form of a follow-up that was done: photos added there show how it is now. */
export const CLOSING = { photos: 'after' } as const;

/** @param state as the history has it */
export const isClosing = (state: unknown): boolean =>
  (state as Partial<typeof CLOSING> | null)?.photos === CLOSING.photos;
