/**
 * Toasts at the bottom of the window and their timeouts. Navigation dismisses a toast early; hovering keeps it. Statements
 * about the connection stay current while shown (App.svelte). Errors and startup messages stay until they are closed or
 * replaced, because nobody may be looking yet.
 */
import type { Toast } from '../parts/toast.ts';

/** Milliseconds until a toast closes. Every action on a toast is also available elsewhere. */
const STAY = 6_000;

class Toasts {
  list = $state.raw<readonly Toast[]>([]);
  /** True while a screen shows the toasts inside itself; the frame then shows none. */
  in_line = $state(false);
  #next = 1;
  #held = false;
  /** Id of a toast without a timeout. */
  #staying: number | null = null;
  /** Id of a toast that also survives navigation. */
  #kept: number | null = null;
  /** True if the user pressed a key or a button since the last toast. Only then does a navigation dismiss it. */
  #used = false;
  readonly #due = new Map<number, ReturnType<typeof setTimeout>>();

  show(
    tone: Toast['tone'],
    text: string,
    action?: Toast['action'],
    more: NonNullable<Toast['more']> = [],
  ): void {
    this.#put({ tone, text, more, ...(action ? { action } : {}) }, tone === 'bad');
  }

  /** Confirms a queued change. The toast also says what happens to it on the current connection. */
  showQueued(text: string): void {
    this.#put({ tone: 'ok', text, queued: true }, false);
  }

  /** Called when a key or a button is pressed anywhere. */
  used(): void {
    this.#used = true;
  }

  /** Called when another screen or company is shown. */
  leave(): void {
    if (!this.#used) return;
    for (const { id } of this.list) if (id !== this.#kept) this.dismiss(id);
  }

  /** Shows a toast that stays until it is closed. */
  keep(text: string): void {
    this.#put({ tone: 'info', text }, true);
    this.#kept = this.list.at(-1)?.id ?? null;
  }

  #put(toast: Omit<Toast, 'id'>, stays: boolean): void {
    const id = this.#next++;
    this.#staying = stays ? id : null;
    this.#used = false;
    // The pointer was on the toast before this one; if it is on this one, it says so itself.
    this.#held = false;
    // Show only the newest. A stack would cover the screen, and everything that a toast can undo can be undone elsewhere, too.
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
    this.#due.set(
      id,
      setTimeout(() => !this.#held && this.dismiss(id), STAY),
    );
  }
}

export const toasts = new Toasts();
