/**
 * The full pictures of the photo viewer: of the one that is looked at and its two neighbours, so that a thousand photos need no
 * more memory than three. What is heavy comes only when it is looked at, says how far it is, and stops when one moves on.
 */
export interface ViewerPhoto {
  readonly key: string;
  readonly name: string;
  /** What is said of it; '' or left out: nothing. */
  readonly caption?: string | undefined;
  /** As what it is saved, where the name says more. */
  readonly file_name?: string;
  readonly note?: string;
  readonly thumbnail: Blob | null | undefined;
  /** Where it belongs, and what the way there is called. */
  readonly href?: string;
  readonly href_name?: string;
  /** A video, or a file of another kind: not fetched before it is looked at. */
  readonly heavy?: boolean;
  readonly full: (how: {
    readonly progress: (read: number, size: number) => void;
    readonly signal: AbortSignal;
  }) => Promise<{ readonly blob: Blob } | { readonly error: string }>;
}

interface Loaded {
  readonly key: string;
  readonly blob: Blob | null;
  readonly error: string | null;
}

export class FullPhotos {
  #kept = $state.raw<readonly Loaded[]>([]);
  /** How far the one that is looked at is, bytes; null where nothing of it is on its way, or it is too small to be told of. */
  coming = $state.raw<{ readonly read: number; readonly size: number } | null>(null);

  /** By the photo's key; undefined while it is not there yet. */
  of(key: string): Loaded | undefined {
    return this.#kept.find((one) => one.key === key);
  }

  clear(): void {
    this.#kept = [];
  }

  /** Loads the one at `at`, then its neighbours, and lets go of all others. The answered function stops what is on its way. */
  look(photos: readonly ViewerPhoto[], at: number): () => void {
    const near = [photos[at], photos[at + 1], photos[at - 1]].filter((one) => one !== undefined);
    const stop = new AbortController();
    void this.#load(near, stop.signal);
    return () => {
      stop.abort();
      this.coming = null;
    };
  }

  async #load(near: readonly ViewerPhoto[], signal: AbortSignal): Promise<void> {
    this.#kept = this.#kept.filter(
      ({ key, blob }) => blob !== null && near.some((one) => one.key === key),
    );
    for (const [place, one] of near.entries()) {
      if (this.of(one.key) !== undefined || (place > 0 && one.heavy === true)) continue;
      const progress = (read: number, size: number) => {
        if (place === 0 && !signal.aborted) this.coming = { read, size };
      };
      const got = await one.full({ progress, signal });
      if (signal.aborted) return;
      if (place === 0) this.coming = null;
      const found =
        'blob' in got ? { blob: got.blob, error: null } : { error: got.error, blob: null };
      this.#kept = [...this.#kept, { key: one.key, ...found }];
    }
  }
}
