/**
 * Decodes one HEIC or HEIF with libheif and returns a smaller picture that the window can show. See heif-picture.ts.
 */
import libheif from 'libheif-js/libheif/libheif.js';
import type { HeifJob } from './heif-picture.ts';

const decode = async ({ file, max_side, type }: HeifJob): Promise<Blob | null> => {
  const module = libheif();
  const images = new module.HeifDecoder().decode(new Uint8Array(await file.arrayBuffer()));
  const image = images.find((one) => one.is_primary()) ?? images[0];
  if (image === undefined) return null;
  const [width, height] = [image.get_width(), image.get_height()];
  const pixels = new ImageData(width, height);
  const shown = await new Promise<ImageData | null>((resolve) => image.display(pixels, resolve));
  if (shown === null) return null;
  const bitmap = await createImageBitmap(pixels);
  const scale = Math.min(1, max_side / Math.max(width, height));
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(width * scale)),
    Math.max(1, Math.round(height * scale)),
  );
  const context = canvas.getContext('2d');
  if (context === null) return null;
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type, quality: 0.85 });
};

self.addEventListener('message', (message: MessageEvent<HeifJob>) => {
  decode(message.data).then(
    (blob) => postMessage(blob),
    () => postMessage(null),
  );
});
