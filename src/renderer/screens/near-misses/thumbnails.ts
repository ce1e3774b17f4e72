/** Thumbnails fetched from the server in this window, the newest kept: scrolling back does not ask again. */
export const fetched = new Map<string, Blob>();

const KEPT = 400;

export const keep = (key: string, blob: Blob): void => {
  fetched.set(key, blob);
  for (const old of fetched.keys()) {
    if (fetched.size <= KEPT) break;
    fetched.delete(old);
  }
};
