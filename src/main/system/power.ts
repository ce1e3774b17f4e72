/** Keeps the system awake while bytes are being sent. */

/** The slice of Electron's powerSaveBlocker used here. */
export interface Blocker {
  start(type: 'prevent-app-suspension'): number;
  stop(id: number): unknown;
}

/** @returns a function that takes whether bytes are being sent */
export const keepAwake = (blocker: Blocker): ((going: boolean) => void) => {
  let held: number | null = null;
  return (going) => {
    if (going === (held !== null)) return;
    if (held !== null) blocker.stop(held);
    held = going ? blocker.start('prevent-app-suspension') : null;
  };
};
