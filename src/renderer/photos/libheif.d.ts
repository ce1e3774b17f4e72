/** What we use of libheif-js: its own types name the C functions, not the JavaScript classes on top of them. */
declare module 'libheif-js/libheif/libheif.js' {
  interface HeifImage {
    is_primary(): boolean;
    get_width(): number;
    get_height(): number;
    /** Draws into `target` and answers it, null where it could not. */
    display(target: ImageData, done: (drawn: ImageData | null) => void): void;
  }
  interface HeifModule {
    readonly HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] };
  }
  const libheif: () => HeifModule;
  // eslint-disable-next-line no-restricted-syntax -- it is theirs
  export default libheif;
}
