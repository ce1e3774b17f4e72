/**
 * State of a refresh: whether it runs, whether the server ever answered, and why it failed. A repeated request during a run
 * triggers one more run. If something else is requested (another vendor, another namespace), the earlier response is discarded.
 */
import type { Problem, Result } from '../../contract/problem.ts';

export class Refreshing {
  problem = $state.raw<Problem | null>(null);
  busy = $state(false);
  /** True once the server answered, so that an empty list is known to be empty. */
  answered = $state(false);
  #of = '';
  #turn = 0;
  #once_more = false;
  // Not reactive: nothing renders it.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #shows = new Set<() => Promise<void>>();

  /**
   * Registers a live query. A run completes only after the query has picked up the new rows, so that a list never flashes as
   * empty.
   * @param now resolves once the query reflects the database (state/live.svelte.ts)
   * @returns removes the query
   */
  shownBy(now: () => Promise<void>): () => void {
    this.#shows.add(now);
    return () => this.#shows.delete(now);
  }

  /** @param of name of the requested list */
  async run(of: string, work: () => Promise<Result<unknown>>): Promise<void> {
    if (this.busy && this.#of === of) {
      this.#once_more = true;
      return;
    }
    if (this.#of !== of) this.#forget();
    this.#of = of;
    this.#turn += 1;
    const turn = this.#turn;
    this.busy = true;
    let answer: Result<unknown>;
    do {
      this.#once_more = false;
      answer = await work();
      if (answer.ok) await Promise.all([...this.#shows].map((now) => now()));
      if (turn !== this.#turn) return;
    } while (this.#once_more);
    this.busy = false;
    this.answered ||= answer.ok;
    this.problem = answer.ok ? null : answer.problem;
  }

  /** Clears the state of a previous list. */
  #forget(): void {
    this.answered = false;
    this.problem = null;
  }
}
