/**
 * Compresses long JSON responses with br or gzip: a page of near misses shrinks to a fourteenth, which matters on a site's slow
 * line. Request bodies are never decompressed (body.ts refuses compressed ones).
 */
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** Bodies below this size (bytes) are compressed synchronously: cheaper than a thread-pool hop. */
const AT_ONCE = 16 * 1024;

/** Applies to routes that are added to this scope later. @param above minimum size in bytes; 0 disables compression */
export const compressLongAnswers = async (scope: FastifyInstance, above: number): Promise<void> => {
  if (above === 0) return;
  await scope.register(compress, {
    encodings: ['br', 'gzip'],
    globalDecompression: false,
    threshold: above,
    syncThreshold: AT_ONCE,
  });
};
