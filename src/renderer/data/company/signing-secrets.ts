/**
 * Holds signing secrets in this window's memory only, until a person has copied them. A secret is shown once
 * (decisions §9.2). An unseen one is lost with the window, and the person creates a new one.
 */
const held = new Map<string, string>();
const hearers = new Set<() => void>();

const notify = (): void => {
  for (const hear of hearers) hear();
};

export const holdSecret = (hook_key: string, secret: string): void => {
  held.set(hook_key, secret);
  notify();
};

export const heldSecret = (hook_key: string): string | null => held.get(hook_key) ?? null;

export const forgetSecret = (hook_key: string): void => {
  held.delete(hook_key);
  notify();
};

/** Calls `hear` on every change. Returns the unsubscribe function. */
export const onSecrets = (hear: () => void): (() => void) => {
  hearers.add(hear);
  return () => hearers.delete(hear);
};
