/** What we use of libheif-js: its own types name the C functions, not the JavaScript classes on top of them. */
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
    /** Draws into `target` and answers it, null where it could not. */
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
