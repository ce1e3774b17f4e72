/** Answers the challenge of a reader who wants proof of a file in place of its bytes (decisions §5.10). */
import { proofNonce, PROVED_MAX, type proof } from '../../contract/rest/protocol/proof.ts';
import type { Db } from '../store/engine/db.ts';
import type { StoredFileRow } from '../store/uploads.ts';
import type { z } from 'zod';
import type { FileStore } from './file-store.ts';
import { locate } from './reading.ts';

/** Proofs at once. A proof costs its reader nothing, so more of them get the bytes, which cost the reader as much. */
const AT_ONCE = 8;

/** @param offered false in reference mode, which has no proofs */
export const createProver = (db: Db, files: FileStore, offered: boolean) => {
  let running = 0;
  return {
    /**
     * Null if the bytes are to be sent: no nonce, a malformed one, a large file, or too many proofs at once.
     * @throws FileGone
     */
    prove: async (file: StoredFileRow, nonce: unknown): Promise<z.infer<typeof proof> | null> => {
      const given = proofNonce.safeParse(nonce);
      if (!offered || !given.success || file.size > PROVED_MAX || running >= AT_ONCE) return null;
      running += 1;
      try {
        const { upload, parts } = await locate(db, file);
        const sha256 = await files.digest(upload, parts, Buffer.from(given.data, 'hex'));
        return { size: file.size, sha256 };
      } finally {
        running -= 1;
      }
    },
  };
};
export type Prover = ReturnType<typeof createProver>;
