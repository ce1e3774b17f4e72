/**
 * Collects errors of the window for "Copy diagnostics": their type and code location. Never the message, which may quote user
 * input.
 */
export interface Trouble {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `TypeError at index-3f2a.js:12:34` */
  readonly where: string;
}

const KEPT = 20;
const kept: Trouble[] = [];

const placeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return typeof error;
  const at = /((?<![\w.-])[\w.-]+\.(?:js|ts|svelte):\d+:\d+)/.exec(error.stack ?? '')?.[1];
  return at === undefined ? error.name : `${error.name} at ${at}`;
};

const keep = (error: unknown): void => {
  kept.push({ at: Date.now(), where: placeOf(error) });
  if (kept.length > KEPT) kept.shift();
};

/** Starts listening. Call it once, before the window is rendered. */
export const watchTroubles = (): void => {
  window.addEventListener('error', (event) => keep(event.error));
  window.addEventListener('unhandledrejection', (event) => keep(event.reason));
};

/** The latest errors, oldest first. */
export const troubles = (): readonly Trouble[] => [...kept];
