/**
 * HEIC, the format of telephones, by libheif as WebAssembly (libvips' own copy has no decoder of HEVC). The library's instance is
 * made for one picture and let go with it: its memory never shrinks. Runs in the thread of thumbnail-worker.ts.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import libheif from 'libheif-js/libheif-wasm/libheif.js';

const FILE = 'libheif-js/libheif-wasm/libheif.wasm';

export interface Heic {
  /** As it is shown: libheif has turned and clipped it. */
  readonly width: number;
  readonly height: number;
  /** Four bytes for each pixel, row by row; null where the picture is damaged. */
  pixels(): Promise<Uint8Array | null>;
}

/** Reads what the file holds and decodes nothing yet; null where it holds no picture. */
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
