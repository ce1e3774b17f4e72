/** One short confirmation, as Toasts.svelte shows it. */
export interface Toast {
  readonly id: number;
  readonly tone: 'ok' | 'bad' | 'info';
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}
