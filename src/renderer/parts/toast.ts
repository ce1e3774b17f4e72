interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

/** One short confirmation, as Toasts.svelte shows it. */
export interface Toast {
  readonly id: number;
  readonly tone: 'ok' | 'bad' | 'info';
  readonly text: string;
  readonly action?: ToastAction;
  /** What else can be done, below the words. */
  readonly more?: readonly ToastAction[];
}
