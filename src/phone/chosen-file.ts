/** A file that was chosen on the phone: its name, its bytes, its hash, and how far the laptop has it. */
import type { PhoneFile } from '../contract/phone/phone.ts';
import { bytesToHex, PART_BYTES, sha256 } from '../contract/phone/phone-seal.ts';
import type { Sent } from './sender-types.ts';

export interface Chosen {
  readonly file: Blob & { readonly name?: string };
  readonly name: string;
  readonly hash: ReturnType<typeof sha256.create>;
  /** Number of bytes hashed. */
  hashed: number;
  sha256: string | null;
  unread: boolean;
}

const nameOf = (file: Chosen['file'], at: number): string =>
  (file.name ?? '').slice(-255) || `photo-${at + 1}`;

export const createChosen = (file: Chosen['file'], at: number): Chosen => ({
  file,
  name: nameOf(file, at),
  hash: sha256.create(),
  hashed: 0,
  sha256: null,
  unread: false,
});

export const stateOf = (one: Chosen, laptop: PhoneFile | undefined): Sent['state'] => {
  if (laptop?.state === 'refused') return 'refused';
  if (laptop?.state === 'asks') return 'asks';
  if (laptop?.state === 'kept' || laptop?.state === 'there')
    return laptop.sha256 === one.sha256 && laptop.size === one.file.size ? 'on_laptop' : 'refused';
  if (one.unread) return 'unread';
  if (laptop === undefined) return 'waiting';
  if (laptop.received === laptop.size) return 'checking';
  return laptop.received > 0 ? 'sending' : 'waiting';
};
/** Null when the phone has removed the file in the meantime. */
export const bytesFrom = async (one: Chosen, offset: number): Promise<Uint8Array | null> => {
  try {
    const part = new Uint8Array(await one.file.slice(offset, offset + PART_BYTES).arrayBuffer());
    if (part.length === 0) return null;
    if (offset === one.hashed) {
      one.hash.update(part);
      one.hashed += part.length;
      if (one.hashed === one.file.size) one.sha256 = bytesToHex(one.hash.digest());
    }
    return part;
  } catch {
    return null;
  }
};
