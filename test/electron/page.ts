/**
 * Runs in the page before the window's scripts: `contextBridge` and `ipcRenderer` as the built preload needs them, then the
 * preload as one CommonJS file whose `require` knows only electron (docs/tutorial/sandbox.md).
 */

/** The page's half of the connection. `pageScript` calls it with origin and preload. A function, so that it is type-checked. */
const inPage = (origin: string, preload: (...given: unknown[]) => void): void => {
  type Hear = (event: unknown, ...args: unknown[]) => void;
  const page = window as unknown as Record<string, unknown>;
  // docs/api/browser-window.md, webPreferences.nodeIntegrationInSubFrames: off, so preloads run in main frames only.
  if (window !== window.top || location.origin !== origin) return;
  const call = page['__standIn'] as (text: string) => Promise<string>;
  delete page['__standIn'];

  const encode = (value: unknown): string =>
    JSON.stringify(value, (_key, one: unknown) => {
      if (one === undefined) return { $undefined: true };
      if (one instanceof Map || one instanceof Set || one instanceof Blob || one instanceof Date)
        throw new Error(`the stand-in's line carries no ${one.constructor.name}`);
      if (!(one instanceof Uint8Array)) return one;
      let text = '';
      for (let at = 0; at < one.length; at += 32_768)
        text += String.fromCharCode(...one.subarray(at, at + 32_768));
      return { $bytes: btoa(text) };
    });
  const walk = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(walk);
    if (one === null || typeof one !== 'object') return one;
    if ('$undefined' in one) return undefined;
    if ('$bytes' in one) {
      const text = atob(String(one.$bytes));
      return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    }
    return Object.fromEntries(Object.entries(one).map(([key, part]) => [key, walk(part)]));
  };
  const decode = (text: string): unknown => walk(JSON.parse(text));

  const listeners = new Map<string, Set<Hear>>();
  const ipcRenderer = {
    // docs/api/ipc-renderer.md: structured clone; a function, promise or symbol throws.
    async invoke(channel: string, ...args: unknown[]): Promise<unknown> {
      const reply = decode(await call(encode({ channel, args: structuredClone(args) }))) as {
        value?: unknown;
        error?: string;
      };
      if (reply.error !== undefined) throw new Error(reply.error);
      return reply.value;
    },
    on(channel: string, listener: Hear) {
      listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener));
      return ipcRenderer;
    },
    removeListener(channel: string, listener: Hear) {
      listeners.get(channel)?.delete(listener);
      return ipcRenderer;
    },
  };
  Object.defineProperty(page, '__standInHear', {
    value: (channel: string, text: string) => {
      for (const hear of [...(listeners.get(channel) ?? [])])
        hear({ sender: ipcRenderer }, ...(decode(text) as unknown[]));
    },
  });

  // docs/api/context-bridge.md: functions are proxied, promises followed, other values copied and frozen; prototypes do not
  // cross.
  const cross = (value: unknown): unknown => {
    if (typeof value === 'function')
      return (...args: unknown[]) =>
        cross((value as (...g: unknown[]) => unknown)(...args.map(cross)));
    if (value instanceof Promise)
      return value.then(cross, (error: unknown) => {
        throw error instanceof Error ? new Error(error.message) : cross(error);
      });
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map(cross);
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return structuredClone(value);
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, cross(one)]));
  };
  const contextBridge = {
    // lib/renderer/api/context-bridge.ts; "Cannot bind an API on top of an existing property on the window object".
    exposeInMainWorld(name: string, api: unknown) {
      if (name in page)
        throw new Error('Cannot bind an API on top of an existing property on the window object');
      Object.defineProperty(page, name, {
        value: Object.freeze(cross(api)),
        enumerable: true,
        configurable: false,
        writable: false,
      });
    },
  };
  const electron = { contextBridge, ipcRenderer };
  const require = (name: string): unknown => {
    if (name !== 'electron') throw new Error(`module not found: ${name}`);
    return new Proxy(electron, {
      get(target, key) {
        if (key in target || typeof key === 'symbol' || key === '__esModule')
          return Reflect.get(target, key) as unknown;
        throw new Error(`electron: ${key} is not known to the stand-in's preload (test/electron)`);
      },
    });
  };
  const module = { exports: {} };
  preload(require, module, module.exports, { sandboxed: true, contextIsolated: true });
};

/** @param origin where the page is shown @param preload source of the built preload */
export const pageScript = (origin: string, preload: string): string =>
  `(${inPage.toString()})(${JSON.stringify(origin)}, function (require, module, exports, process) {${preload}\n});`;
