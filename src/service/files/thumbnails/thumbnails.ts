/**
 * Creates thumbnails (decisions §5.8; failures S10) in another thread (thumbnail-decoder.ts), one at a time. The
 * result is stored beside the upload's parts and deleted with them. A refusal is stored too, so that an expensive
 * file costs its time only once. It stays valid while the limits are unchanged.
 */
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { Refusal } from '../../domain/problem.ts';
import type { FileStore, Part } from '../file-store.ts';
import { createDecoder, type Decoded } from './thumbnail-decoder.ts';

export interface ThumbnailLimits {
  /** Longest side of the result, pixels. */
  readonly side: number;
  readonly max_pixels: number;
  /** Maximum size of the original, bytes. */
  readonly max_size: number;
  /** Maximum memory of a decoder, bytes. */
  readonly memory: number;
  /** Milliseconds per picture. */
  readonly timeout: number;
}

export interface Thumbnailer {
  /**
   * Creates the thumbnail if it is missing and returns its part.
   * @throws Refusal 415 not an image, 422 too large
   */
  ensure(upload: string, parts: readonly Part[]): Promise<Part>;
  /** A strongly blurred copy as JPEG, without EXIF. Null if the file is no picture within the limits. */
  blur(upload: string, parts: readonly Part[]): Promise<Uint8Array | null>;
  stop(): void;
}

/** Longest side in pixels of a blurred copy, and of the picture that it is enlarged from: there a face is a few pixels. */
const BLURRED = { side: 1024, from: 32 };

const NAME = 'thumbnail';
const REFUSED = 'no-thumbnail';
/** Version of the decoder: increase it to retry files that an older decoder refused. */
const DECODER = 1;

const refusal = z.object({
  status: z.number(),
  text: z.string(),
  limits: z.string(),
});
type Kept = z.infer<typeof refusal>;

const NO_IMAGE = [415, ['This file is no image that a thumbnail can be made of.']] as const;
const LATE = [422, ['No thumbnail: making it takes too long.']] as const;
const LATE_MAX = 10_000;

const reasonOf = (decoded: Exclude<Decoded, { kind: 'made' | 'late' }>): Refusal => {
  if (decoded.kind === 'no_image') return new Refusal(...NO_IMAGE);
  if (decoded.kind === 'too_many_pixels')
    return new Refusal(422, [`No thumbnail: ${decoded.text}.`]);
  return new Refusal(422, ['No thumbnail: making it takes too much memory.']);
};

export const createThumbnailer = (files: FileStore, limits: ThumbnailLimits): Thumbnailer => {
  const decoder = createDecoder(limits);
  const underWay = new Map<string, Promise<Part>>();
  /** Timeouts are remembered for this run only, because the machine may have been busy. */
  const late = new Set<string>();
  const { side, max_pixels, max_size, memory, timeout } = limits;
  const found_under = [DECODER, max_pixels, max_size, memory, timeout].join(' ');

  const keep = async (upload: string, name: string, bytes: Uint8Array): Promise<void> => {
    const part = await files.begin(upload, name);
    try {
      await part.write(bytes);
      await part.commit();
    } finally {
      await part.abandon();
    }
  };

  const remember = async (upload: string, { status, errors }: Refusal): Promise<void> => {
    const kept: Kept = { status, text: Object.values(errors).join(' '), limits: found_under };
    await keep(upload, REFUSED, Buffer.from(JSON.stringify(kept)));
  };

  /** The stored refusal, if it was made under the same limits. */
  const refusedBefore = async (upload: string): Promise<Refusal | null> => {
    const size = await files.sizeOf(upload, REFUSED);
    if (size === null) return null;
    const bytes = await files.read(upload, [{ name: REFUSED, size }], null);
    const kept = refusal.safeParse(JSON.parse(await text(bytes)));
    return kept.success && kept.data.limits === found_under
      ? new Refusal(kept.data.status, [kept.data.text])
      : null;
  };

  const make = async (upload: string, parts: readonly Part[]): Promise<Part> => {
    const before = late.has(upload) ? new Refusal(...LATE) : await refusedBefore(upload);
    if (before) throw before;
    const size = parts.reduce((sum, part) => sum + part.size, 0);
    if (size > max_size)
      throw new Refusal(422, [`No thumbnail: the file has more than ${max_size} bytes.`]);
    if (size === 0) throw new Refusal(...NO_IMAGE);
    const { path, release } = await files.local(upload, parts);
    try {
      const decoded = await decoder.shrink({ path, side, max_pixels });
      if (decoded.kind === 'late') {
        if (late.size >= LATE_MAX) late.clear();
        late.add(upload);
        throw new Refusal(...LATE);
      }
      if (decoded.kind !== 'made') {
        const reason = reasonOf(decoded);
        await remember(upload, reason);
        throw reason;
      }
      await keep(upload, NAME, decoded.bytes);
      return { name: NAME, size: decoded.bytes.length };
    } finally {
      await release();
    }
  };

  return {
    ensure: async (upload, parts) => {
      const size = await files.sizeOf(upload, NAME);
      if (size !== null) return { name: NAME, size };
      const running = underWay.get(upload);
      if (running) return running;
      const mine = make(upload, parts).finally(() => underWay.delete(upload));
      underWay.set(upload, mine);
      return mine;
    },
    blur: async (upload, parts) => {
      const size = parts.reduce((sum, part) => sum + part.size, 0);
      if (size === 0 || size > max_size) return null;
      const { path, release } = await files.local(upload, parts);
      try {
        const job = { path, side: BLURRED.from, max_pixels, blurred: BLURRED.side };
        const decoded = await decoder.shrink(job);
        return decoded.kind === 'made' ? decoded.bytes : null;
      } finally {
        await release();
      }
    },
    stop: () => decoder.stop(),
  };
};
