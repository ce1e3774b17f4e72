/** Asks the server to prove that it holds a photo (decisions §5.10), and compares the proof with the original on this laptop. */
import { createHash, randomBytes } from 'node:crypto';
import { fail, ok, type Result } from '../../contract/problem.ts';
import { proof, PROOF_NONCE, PROOF_TYPE, PROVED_MAX } from '../../contract/rest/protocol/proof.ts';
import type { Incoming } from '../http/http-client.ts';
import type { SpooledPhoto } from './spool/spooled.ts';

/** A few times the length of any proof, in bytes. */
const ANSWER_MAX = 1024;

/** One fresh nonce, and what the original makes of it. */
export interface Challenge {
  readonly headers: Readonly<Record<string, string>>;
  /** True if the server holds exactly the original; false if not, or if nothing sensible was answered. */
  meets(incoming: Incoming): Promise<Result<boolean>>;
}

export const isProof = ({ header }: Incoming): boolean =>
  header('content-type')?.split(';')[0]?.trim() === PROOF_TYPE;

/**
 * Null for a photo that is too large to be proved.
 * @param bytesOf streams the original's bytes
 */
export const challenge = (
  photo: SpooledPhoto,
  bytesOf: (photo: SpooledPhoto) => AsyncIterable<Uint8Array>,
): Challenge | null => {
  if (photo.size > PROVED_MAX) return null;
  const nonce = randomBytes(32);
  /** Null if the original cannot be read now, or was damaged on this disk: the server's bytes are then compared with its known hash. */
  const expected = async (): Promise<string | null> => {
    const hash = createHash('sha256').update(nonce);
    const own = createHash('sha256');
    try {
      for await (const chunk of bytesOf(photo)) {
        hash.update(chunk);
        own.update(chunk);
      }
    } catch {
      return null;
    }
    return own.digest('hex') === photo.sha256 ? hash.digest('hex') : null;
  };
  return {
    headers: { [PROOF_NONCE]: nonce.toString('hex') },
    meets: async (incoming) => {
      const chunks: Buffer[] = [];
      const read = await incoming.read(ANSWER_MAX, (chunk) => void chunks.push(Buffer.from(chunk)));
      if (!read.ok) return fail(read.problem);
      try {
        const given = proof.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
        return ok(given.size === photo.size && given.sha256 === (await expected()));
      } catch {
        return ok(false);
      }
    },
  };
};
