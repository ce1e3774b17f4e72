/**
 * Decodes HEIC, the photo format of phones, with libheif as WebAssembly, because libvips' build has no HEVC decoder.
 * Each picture gets a fresh instance of the library, because WebAssembly memory never shrinks. Runs in the thread of
 * thumbnail-worker.ts.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import libheif from 'libheif-js/libheif-wasm/libheif.js';

const FILE = 'libheif-js/libheif-wasm/libheif.wasm';

export interface Heic {
  /** Displayed size: libheif has already rotated and cropped the picture. */
  readonly width: number;
  readonly height: number;
  /** Four bytes per pixel, row by row; null if the picture is damaged. */
  pixels(): Promise<Uint8Array | null>;
}

/** Reads the container without decoding; null if it has no picture. */
export const openHeic = (bytes: Uint8Array): Heic | null => {
  const silent = (): void => undefined;
  const wasmBinary = readFileSync(createRequire(import.meta.url).resolve(FILE));
  const { HeifDecoder } = libheif({ wasmBinary, print: silent, printErr: silent });
  const images = new HeifDecoder().decode(bytes);
  const image = images.find((one) => one.is_primary()) ?? images[0];
  if (image === undefined) return null;
  const [width, height] = [image.get_width(), image.get_height()];
  return {
    width,
    height,
    pixels: () =>
      new Promise((resolve) => {
        const bytes = new Uint8Array(width * height * 4);
        const data = new Uint8ClampedArray(bytes.buffer);
        image.display({ data, width, height }, (drawn) => resolve(drawn && bytes));
      }),
  };
};
