/**
 * Long JSON answers go out packed, br or gzip as the client takes it: a page of near misses is a fourteenth of its size, which
 * is what a site's line is slow at. Bodies of requests stay as they are (body.ts refuses packed ones).
 */
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** Shorter ones are packed at once: that takes less than the wait for a thread. */
const AT_ONCE = 16 * 1024;

/** For the routes that this scope gets after it. @param above bytes; 0 packs nothing */
export const compressLongAnswers = async (scope: FastifyInstance, above: number): Promise<void> => {
  if (above === 0) return;
  await scope.register(compress, {
    encodings: ['br', 'gzip'],
    globalDecompression: false,
    threshold: above,
    syncThreshold: AT_ONCE,
  });
};
