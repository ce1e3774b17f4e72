/** Cache of thumbnails fetched from the server, so that scrolling back does not fetch again. Evicts the oldest. */
export const fetched = new Map<string, Blob>();

const KEPT = 400;

export const keep = (key: string, blob: Blob): void => {
  fetched.set(key, blob);
  for (const old of fetched.keys()) {
    if (fetched.size <= KEPT) break;
    fetched.delete(old);
  }
};
