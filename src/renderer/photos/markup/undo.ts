/**
 * Undo and redo over any value. Whole values are kept, because they share what did not change. A gesture (a drag,
 * typing into one text) is one step: a value put under the last step's name replaces it.
 */
export interface History<T> {
  readonly past: readonly T[];
  readonly now: T;
  readonly future: readonly T[];
  /** The step that may still be extended. */
  readonly step: string | null;
}

export const STEPS_MAX = 500;

export const historyOf = <T>(now: T): History<T> => ({ past: [], now, future: [], step: null });

export const put = <T>(history: History<T>, now: T, step: string | null = null): History<T> => {
  if (now === history.now) return history;
  if (step !== null && step === history.step) return { ...history, now, future: [] };
  return { past: [...history.past, history.now].slice(-STEPS_MAX), now, future: [], step };
};

/** Makes the next value a separate step. */
export const endStep = <T>(history: History<T>): History<T> => ({ ...history, step: null });

export const undo = <T>({ past, now, future, ...rest }: History<T>): History<T> => {
  const before = past.at(-1);
  return before === undefined
    ? { ...rest, past, now, future }
    : { past: past.slice(0, -1), now: before, future: [now, ...future], step: null };
};

export const redo = <T>({ past, now, future, ...rest }: History<T>): History<T> => {
  const [next, ...later] = future;
  return next === undefined
    ? { ...rest, past, now, future }
    : { past: [...past, now], now: next, future: later, step: null };
};
