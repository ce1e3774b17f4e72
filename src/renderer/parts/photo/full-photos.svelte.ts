/**
 * Loads full pictures for the photo viewer. Keeps only the current photo and its two neighbours in memory. Heavy files load
 * only when viewed, report progress, and are aborted when the user moves on.
 */
import type { Component } from 'svelte';

export interface ViewerPhoto {
  readonly key: string;
  readonly name: string;
  /** Caption. '' or undefined if there is none. */
  readonly caption?: string | undefined;
  /** File name for saving, if more specific than `name`. */
  readonly file_name?: string;
  readonly note?: string;
  readonly thumbnail: Blob | null | undefined;
  /** Link to the photo's record, and the link's text. */
  readonly href?: string;
  readonly href_name?: string;
  /** Further actions. Each closes the viewer first. */
  readonly deeds?: readonly {
    readonly name: string;
    readonly icon: Component<{ 'aria-hidden'?: 'true' }>;
    readonly run: () => void;
  }[];
  /** True for videos and files that are not pictures. They are not prefetched. */
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
  /** Progress of the current photo in bytes. Null if nothing is loading, or if it reports no progress. */
  coming = $state.raw<{ readonly read: number; readonly size: number } | null>(null);

  /** Finds a photo by key. Undefined until it is loaded. */
  of(key: string): Loaded | undefined {
    return this.#kept.find((one) => one.key === key);
  }

  clear(): void {
    this.#kept = [];
  }

  /** Loads the photo at `at`, then its neighbours, and releases all others. Returns a function that aborts loading. */
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
