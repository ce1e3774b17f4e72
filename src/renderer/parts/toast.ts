/** The content of a toast. `Toasts.svelte` draws it. */
interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

export interface Toast {
  readonly id: number;
  readonly tone: 'ok' | 'bad' | 'info';
  readonly text: string;
  /** True if the change still has to reach a server. */
  readonly queued?: boolean;
  readonly action?: ToastAction;
  /** Further actions, below the text. */
  readonly more?: readonly ToastAction[];
}
