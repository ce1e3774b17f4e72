/** Types for the used part of libheif-js: its own types describe the C functions, not the JavaScript classes. */
declare module 'libheif-js/libheif-wasm/libheif.js' {
  interface Drawn {
    readonly data: Uint8ClampedArray;
    readonly width: number;
    readonly height: number;
  }
  interface HeifImage {
    is_primary(): boolean;
    get_width(): number;
    get_height(): number;
    /** Draws into `target` and passes it to `done`, or null on failure. */
    display(target: Drawn, done: (drawn: Drawn | null) => void): void;
  }
  interface HeifModule {
    readonly HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] };
  }
  const libheif: (settings: {
    readonly wasmBinary: Uint8Array;
    readonly print: () => void;
    readonly printErr: () => void;
  }) => HeifModule;
  // eslint-disable-next-line no-restricted-syntax -- it is theirs
  export default libheif;
}
