/** The part of libheif-js in use. Its own types describe the C functions, not the JavaScript classes above them. */
declare module 'libheif-js/libheif/libheif.js' {
  interface HeifImage {
    is_primary(): boolean;
    get_width(): number;
    get_height(): number;
    /** Draws into `target` and returns it; null on failure. */
    display(target: ImageData, done: (drawn: ImageData | null) => void): void;
  }
  interface HeifModule {
    readonly HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] };
  }
  const libheif: () => HeifModule;
  // eslint-disable-next-line no-restricted-syntax -- it is theirs
  export default libheif;
}
