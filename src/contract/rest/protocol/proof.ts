/**
 * Proof that the server holds a file, in place of a second transfer (decisions §5.10 [ours]). The reader of a file's `url` sends a
 * fresh nonce. A server that can prove it answers with the sha256 of the nonce followed by every byte as it lies in its store;
 * any other answers with the bytes.
 */
import { z } from 'zod';
import { sha256Hex } from '../uploads.ts';

/** Request header: 32 random bytes in lower-case hex. */
export const PROOF_NONCE = 'proof-nonce';
export const proofNonce = z.string().regex(/^[0-9a-f]{64}$/);

export const PROOF_TYPE = 'application/vnd.spotter.proof+json';

/** The largest file that is proved, in bytes: a slow store reads it well within the time that a client waits for an answer. */
export const PROVED_MAX = 256 * 1024 * 1024;

export const proof = z.object({
  /** Bytes. */
  size: z.number().int().nonnegative(),
  /** Of the nonce's 32 bytes and then the file's. */
  sha256: sha256Hex,
});
