/** The short confirmations at the bottom of the window, and how long each stays. Held while the pointer is on one. */
import type { Toast } from '../parts/toast.ts';

/** Milliseconds a confirmation stays; one with something to do stays longer. */
const STAY = 5_000;
const STAY_WITH_ACTION = 10_000;

class Toasts {
  list = $state.raw<readonly Toast[]>([]);
  #next = 1;
  #held = false;
  readonly #due = new Map<number, ReturnType<typeof setTimeout>>();

  show(tone: Toast['tone'], text: string, action?: Toast['action']): void {
    const id = this.#next++;
    // Only the newest: a pile covers what it talks about, and whatever can be undone can also be undone in its place.
    this.list = [{ id, tone, text, ...(action ? { action } : {}) }];
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
    if (!held) for (const toast of this.list) this.#arm(toast.id);
  }

  #arm(id: number): void {
    clearTimeout(this.#due.get(id));
    const action = this.list.find((toast) => toast.id === id)?.action;
    this.#due.set(
      id,
      setTimeout(() => !this.#held && this.dismiss(id), action ? STAY_WITH_ACTION : STAY),
    );
  }
}

export const toasts = new Toasts();
