/** State of the frame that screens and shortcuts share. */
import type { Snippet } from 'svelte';

class Shell {
  finder = $state(false);
  #actions = $state.raw<Snippet | null>(null);
  /** Copy of `#actions`, because in a teardown Svelte returns a state's previous value. */
  #latest: Snippet | null = null;

  /** The current screen's buttons in the header (screens/common/HeaderActions.svelte). */
  get actions(): Snippet | null {
    return this.#actions;
  }

  /** @returns takes the buttons away, unless another screen has put its own there since */
  showActions(actions: Snippet): () => void {
    this.#put(actions);
    return () => {
      if (this.#latest === actions) this.#put(null);
    };
  }

  #put(actions: Snippet | null): void {
    this.#latest = actions;
    this.#actions = actions;
  }
}
export const shell = new Shell();
