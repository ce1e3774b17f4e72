/** Tells `npm start` over stdout that there is something to see, so that it need not open Chromium instead. */
export const sayUp = (): void => {
  // src/setup/electron-start.ts waits for this line.
  if (process.env['SPOTTER_SAY_UP'] === '1') console.log('spotter: up');
};
