/** Grabs one frame of a video; null if this browser cannot decode it. Only the needed part of the file is read. */
import { PREVIEW_PIXELS_MAX } from './limits.ts';

const PATIENCE = 10_000;
/** Milliseconds between two attempts to grab a frame. */
const AGAIN = 20;

/**
 * The frame at the video's position. Chromium may fire `seeked` before the decoder has delivered the frame. Until then
 * no bitmap can be made, although the video reports that it is ready.
 */
const shownFrame = async (video: HTMLVideoElement): Promise<ImageBitmap | null> => {
  const end = performance.now() + PATIENCE;
  for (;;)
    try {
      return await createImageBitmap(video);
    } catch (error) {
      const early = error instanceof DOMException && error.name === 'InvalidStateError';
      if (!early || performance.now() > end) return null;
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    }
};

/** The frame at one second, or in the middle of a shorter video, because the first frame is often black. */
export const frameOf = async (file: Blob): Promise<ImageBitmap | null> => {
  const video = document.createElement('video');
  const url = URL.createObjectURL(file);
  const heard = (event: string) =>
    new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), PATIENCE);
      const end = (there: boolean) => {
        clearTimeout(timer);
        resolve(there);
      };
      video.addEventListener(event, () => end(true), { once: true });
      video.addEventListener('error', () => end(false), { once: true });
    });
  try {
    video.muted = true;
    video.preload = 'auto';
    const loaded = heard('loadeddata');
    video.src = url;
    if (!(await loaded) || video.videoWidth === 0) return null;
    if (video.videoWidth * video.videoHeight > PREVIEW_PIXELS_MAX) return null;
    const sought = heard('seeked');
    video.currentTime = Math.min(1, (Number.isFinite(video.duration) ? video.duration : 0) / 2);
    if (!(await sought)) return null;
    return await shownFrame(video);
  } catch {
    return null;
  } finally {
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(url);
  }
};
