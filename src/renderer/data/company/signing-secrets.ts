/**
 * Signing secrets that came with an answer, for as long as somebody looks: in this window's memory and nowhere else. A secret is
 * shown once (decisions §9.2); one that nobody saw is forgotten with the window, and a new one is made instead.
 */
const held = new Map<string, string>();
const hearers = new Set<() => void>();

const tell = (): void => {
  for (const hear of hearers) hear();
};

export const holdSecret = (hook_key: string, secret: string): void => {
  held.set(hook_key, secret);
  tell();
};

export const heldSecret = (hook_key: string): string | null => held.get(hook_key) ?? null;

export const forgetSecret = (hook_key: string): void => {
  held.delete(hook_key);
  tell();
};

/** Hears of every change until the answered function is called. */
export const onSecrets = (hear: () => void): (() => void) => {
  hearers.add(hear);
  return () => hearers.delete(hear);
};
