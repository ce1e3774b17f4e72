/**
 * Reports whether the window is visible. A browser tab knows its visibility. Electron's window does not:
 * `backgroundThrottling: false` pins `visibilityState` to `visible` (docs/api/browser-window.md, "Page visibility"),
 * so the shell reports it (contract/desktop.ts).
 */
let shell_says = true;
const listeners = new Set<() => void>();
const changed = (): void => listeners.forEach((listener) => listener());

export function isInSight(): boolean {
  return shell_says && document.visibilityState === 'visible';
}

export function setInSight(in_sight: boolean): void {
  if (shell_says === in_sight) return;
  shell_says = in_sight;
  changed();
}

/** @returns a function that unsubscribes */
export function onSightChange(listener: () => void): () => void {
  // A fresh wrapper makes two subscriptions of the same function independent.
  const own = (): void => listener();
  if (listeners.size === 0) document.addEventListener('visibilitychange', changed);
  listeners.add(own);
  return () => {
    listeners.delete(own);
    if (listeners.size === 0) document.removeEventListener('visibilitychange', changed);
  };
}
