/**
 * Bringing what a screen shows up to date: is it being asked, was it ever told, why not. Asked again while an answer is on its way
 * it looks once more after it; asked for something else (another vendor, another namespace) the answer to the first is not shown.
 */
import type { Problem, Result } from '../../contract/problem.ts';

export class Refreshing {
  /** Why the newest could not be fetched. */
  problem = $state.raw<Problem | null>(null);
  busy = $state(false);
  /** The server answered at least once, so that an empty list is known to be empty. */
  answered = $state(false);
  #of = '';
  #turn = 0;
  #once_more = false;
  // No rune reads it.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #shows = new Set<() => Promise<void>>();

  /**
   * What shows it: nothing is said to be empty before that has what was written.
   * @param now settles when what is shown is what the database has (state/live.svelte.ts)
   * @returns ends it
   */
  shownBy(now: () => Promise<void>): () => void {
    this.#shows.add(now);
    return () => this.#shows.delete(now);
  }

  /** @param of what is asked for, by name */
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

  /** What was said of one is not said of the next. */
  #forget(): void {
    this.answered = false;
    this.problem = null;
  }
}
