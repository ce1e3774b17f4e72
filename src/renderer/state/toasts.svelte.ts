/**
 * The short confirmations at the bottom of the window, and how long each stays. Held while the pointer is on one. What went wrong
 * stays until it is closed or another is shown, and so does what the start has to say: it is said before anybody looks.
 */
import type { Toast } from '../parts/toast.ts';

/** Milliseconds a confirmation stays; one with something to do stays longer. */
const STAY = 5_000;
const STAY_WITH_ACTION = 10_000;

class Toasts {
  list = $state.raw<readonly Toast[]>([]);
  #next = 1;
  #held = false;
  /** The one that no time closes. */
  #staying: number | null = null;
  readonly #due = new Map<number, ReturnType<typeof setTimeout>>();

  show(
    tone: Toast['tone'],
    text: string,
    action?: Toast['action'],
    more: NonNullable<Toast['more']> = [],
  ): void {
    this.#put({ tone, text, more, ...(action ? { action } : {}) }, tone === 'bad');
  }

  /** Stays until it is closed. */
  keep(text: string): void {
    this.#put({ tone: 'info', text }, true);
  }

  #put(toast: Omit<Toast, 'id'>, stays: boolean): void {
    const id = this.#next++;
    this.#staying = stays ? id : null;
    // Only the newest: a pile covers what it talks about, and whatever can be undone can also be undone in its place.
    this.list = [{ id, ...toast }];
    this.#arm(id);
  }

  dismiss(id: number): void {
    clearTimeout(this.#due.get(id));
    this.#due.delete(id);
    this.list = this.list.filter((toast) => toast.id !== id);
    this.#held = false;
  }

  hold(held: boolean): void {
    this.#held = held;
    if (!held) for (const { id } of this.list) this.#arm(id);
  }

  #arm(id: number): void {
    clearTimeout(this.#due.get(id));
    if (id === this.#staying) return;
    const toast = this.list.find((one) => one.id === id);
    const asks = toast?.action !== undefined || (toast?.more?.length ?? 0) > 0;
    this.#due.set(
      id,
      setTimeout(() => !this.#held && this.dismiss(id), asks ? STAY_WITH_ACTION : STAY),
    );
  }
}

export const toasts = new Toasts();
