/** The system does not sleep while bytes go: held awake as long as they do, and not a moment longer. */

/** Of Electron's powerSaveBlocker. */
export interface Blocker {
  start(type: 'prevent-app-suspension'): number;
  stop(id: number): unknown;
}

/** @returns told whether bytes go */
export const keepAwake = (blocker: Blocker): ((going: boolean) => void) => {
  let held: number | null = null;
  return (going) => {
    if (going === (held !== null)) return;
    if (held !== null) blocker.stop(held);
    held = going ? blocker.start('prevent-app-suspension') : null;
  };
};
