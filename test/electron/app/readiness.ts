/** Tracks whether the app is ready, which many of Electron's rules depend on. */

let ready = false;
let makeReady: () => void = () => undefined;
export const whenReady = new Promise<void>((resolve) => (makeReady = resolve));
export const isReady = (): boolean => ready;

export const becomeReady = (): void => {
  ready = true;
  makeReady();
};

/** docs/api/session.md, browser-window.md, …: "can only be used after the `ready` event is emitted". */
export const needReady = (what: string): void => {
  if (!ready) throw new Error(`${what} can only be used after app is ready`);
};

/** docs/api/protocol.md, app.md: "can only be called before app is ready". */
export const needUnready = (what: string): void => {
  if (ready) throw new Error(`${what} can only be called before app is ready`);
};
