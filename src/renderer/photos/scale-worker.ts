/** Scales one photo with pica and returns it encoded. See rendition.ts. */
import { Pica } from 'pica/pica_main';
import type { ScaleJob } from './rendition.ts';

/** Lanczos in plain JavaScript: the window's policy forbids WebAssembly, and this already runs in a worker. */
const pica = new Pica({ features: ['js'] });

const scale = async (job: ScaleJob): Promise<Blob | null> => {
  const { file, type, max_side, decode_width } = job;
  const bitmap = await createImageBitmap(file, {
    imageOrientation: 'from-image',
    ...(decode_width === null ? {} : { resizeWidth: decode_width, resizeQuality: 'high' }),
  });
  const [wide, high] = [bitmap.width, bitmap.height];
  const share = max_side / Math.max(wide, high);
  const width = Math.max(1, Math.round(wide * share));
  const height = Math.max(1, Math.round(high * share));
  const source = new OffscreenCanvas(wide, high).getContext('2d', { willReadFrequently: true });
  if (source === null) return null;
  source.drawImage(bitmap, 0, 0);
  bitmap.close();
  const drawn = await pica.resizeBuffer({
    src: source.getImageData(0, 0, wide, high).data,
    width: wide,
    height: high,
    toWidth: width,
    toHeight: height,
    filter: 'lanczos3',
  });
  const canvas = new OffscreenCanvas(width, height);
  canvas
    .getContext('2d')
    ?.putImageData(new ImageData(new Uint8ClampedArray(drawn), width, height), 0, 0);
  return canvas.convertToBlob({ type, quality: 0.86 });
};

self.addEventListener('message', (message: MessageEvent<ScaleJob>) => {
  scale(message.data).then(
    (blob) => postMessage(blob),
    () => postMessage(null),
  );
});
