/**
 * Verifies an evidence pack (decisions §19.6): signature, every file, history, and the key. Hazard: a pack comes from anywhere, so
 * nothing of it is believed before the signature holds, and what a sentence quotes from it is stripped of control characters.
 */
import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import {
  PACK_FILES_MAX,
  PACK_TEXT_MAX,
  packFileName,
  packFiles,
  packReceipt,
  textFiles,
  unlistedFiles,
  type PackReceipt,
} from '../../contract/evidence-pack.ts';
import { BadZip, readDirectory, readEntry, type Source, type ZipEntry } from './zip.ts';

const RECEIPT_MAX = 4 * 1024 * 1024;
const SIGNATURE_BYTES = 64;
const PEM_MAX = 1000;
/** Zip programs add an entry for the folder. */
const PHOTO_FOLDER = 'photos/';

/** A key that the reader trusts, and when it signed. */
export interface TrustedKey {
  readonly public_key: string;
  /** Milliseconds; null: not known. */
  readonly from: number | null;
  readonly until: number | null;
}

export interface VerifyHow {
  /** True: the files with texts may be missing. */
  readonly without_text: boolean;
  /** Finds the trusted key with this id. Null: there is none. Undefined: nothing to compare with. */
  readonly trusted?: (key_id: string) => Promise<TrustedKey | null>;
}

export interface Verdict {
  /** What is wrong. Empty: the pack is genuine. */
  readonly problems: readonly string[];
  /** What was found to be right. */
  readonly good: readonly string[];
  readonly receipt: PackReceipt | null;
}

/** Quotes a foreign text. */
export const quoted = (text: string): string => text.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '?');

const readWhole = async (source: Source, entry: ZipEntry, most: number): Promise<Buffer> => {
  if (entry.size > most) throw new BadZip(`${quoted(entry.name)} is too large`);
  const chunks: Buffer[] = [];
  for await (const chunk of readEntry(source, entry)) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const sha256Of = async (source: Source, entry: ZipEntry): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of readEntry(source, entry)) hash.update(chunk);
  return hash.digest('hex');
};

const pemOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }) as string;

/** The Ed25519 key of a PEM; null if it has none. */
export const readKey = (pem: string): KeyObject | null => {
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
};

const idOfKey = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16);

/** @throws BadZip */
const filesOf = async (source: Source): Promise<ReadonlyMap<string, ZipEntry>> => {
  const files = new Map<string, ZipEntry>();
  const entries = await readDirectory(source, PACK_FILES_MAX + unlistedFiles.length + 1);
  for (const entry of entries) {
    if (entry.name === PHOTO_FOLDER && entry.packed === 0) continue;
    if (!packFileName.safeParse(entry.name).success)
      throw new BadZip(
        `it has a file that no pack has: ${quoted(JSON.stringify(entry.name.slice(0, 100)))}`,
      );
    if (files.has(entry.name)) throw new BadZip(`it has two files ${entry.name}`);
    files.set(entry.name, entry);
  }
  return files;
};

type Signed =
  { readonly receipt: PackReceipt; readonly key: KeyObject } | { readonly problem: string };

/** The receipt, if the key of the pack signed it. */
const readSigned = async (
  source: Source,
  files: ReadonlyMap<string, ZipEntry>,
): Promise<Signed> => {
  const [receipt, signature, pem] = [
    packFiles.receipt,
    packFiles.signature,
    packFiles.public_key,
  ].map((name) => files.get(name));
  if (!receipt || !signature || !pem)
    return { problem: `it is no evidence pack: one of ${unlistedFiles.join(', ')} is missing` };
  const bytes = await readWhole(source, receipt, RECEIPT_MAX);
  const sig = await readWhole(source, signature, SIGNATURE_BYTES);
  const text = (await readWhole(source, pem, PEM_MAX)).toString('utf8');
  const key = readKey(text);
  // Another spelling of the same key would be bytes that nothing checks.
  if (!key || pemOf(key) !== text) return { problem: `${packFiles.public_key} is damaged` };
  if (sig.length !== SIGNATURE_BYTES || !verify(null, bytes, key, sig))
    return {
      problem: `the signature is wrong: ${packFiles.receipt}, ${packFiles.signature} or ${packFiles.public_key} was changed`,
    };
  const parsed = packReceipt.safeParse(readJson(bytes));
  if (!parsed.success)
    return { problem: `${packFiles.receipt} is not one that this version reads` };
  if (parsed.data.key_id !== idOfKey(key))
    return { problem: `${packFiles.receipt} names another key than ${packFiles.public_key}` };
  return { receipt: parsed.data, key };
};

const readJson = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
};

const fileProblems = async (
  source: Source,
  files: ReadonlyMap<string, ZipEntry>,
  receipt: PackReceipt,
  { without_text }: VerifyHow,
): Promise<{ readonly problems: string[]; readonly removed: string[] }> => {
  const problems: string[] = [];
  const removed: string[] = [];
  const listed = new Map(receipt.files.map((one) => [one.name, one]));
  for (const name of files.keys())
    if (!listed.has(name) && !unlistedFiles.includes(name))
      problems.push(`${name} is in the pack, but the receipt does not list it`);
  for (const { name, size, sha256 } of listed.values()) {
    const entry = files.get(name);
    if (!entry && textFiles.includes(name)) removed.push(name);
    if (!entry && !(without_text && textFiles.includes(name))) problems.push(`${name} is missing`);
    if (!entry) continue;
    try {
      if (entry.size !== size || (await sha256Of(source, entry)) !== sha256)
        problems.push(`${name} was changed`);
    } catch (error) {
      if (!(error instanceof BadZip)) throw error;
      problems.push(`${name} was changed: ${error.message}`);
    }
  }
  return { problems, removed };
};

const historyFile = z.object({
  entries: z.array(
    z.object({
      id: z.number(),
      at: z.string(),
      user: z.object({ id: z.number() }),
      action: z.string(),
      changes: z.unknown(),
      digest: z.string().nullable(),
      salt: z.string().nullable(),
      hash: z.string().nullable(),
    }),
  ),
});

const hashOf = (...parts: readonly (string | number)[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('hex');

/** Null: every entry follows from the one before (decisions §15.2), and the newest is the one that was signed. */
const historyProblem = async (
  source: Source,
  entry: ZipEntry,
  { near_miss, history }: PackReceipt,
): Promise<string | null> => {
  const parsed = historyFile.safeParse(readJson(await readWhole(source, entry, PACK_TEXT_MAX)));
  if (!parsed.success) return `${packFiles.history} cannot be read`;
  let before = '';
  const entries = parsed.data.entries.filter(({ id }) => id > 0);
  for (const { id, at, user, action, changes, digest, salt, hash } of entries) {
    const own = hashOf(before, near_miss.id, id, Date.parse(at), user.id, action, digest ?? '');
    const isContent = salt === null || digest === hashOf(salt, JSON.stringify(changes));
    if (own !== hash || !isContent)
      return `entry ${id} of the history does not follow from the others`;
    before = own;
  }
  return entries.length === history.entries && before === (history.hash ?? '')
    ? null
    : 'the history is not the one that was signed';
};

const keyProblem = (
  { key_id, made_at }: PackReceipt,
  key: KeyObject,
  trusted: TrustedKey | null,
): string | null => {
  if (trusted === null) return `the key ${key_id} is none of those that you trust`;
  const known = readKey(trusted.public_key);
  if (!known?.equals(key)) return `the key ${key_id} is not the one that you trust`;
  const at = Date.parse(made_at);
  const early = trusted.from !== null && at < trusted.from;
  const late = trusted.until !== null && at > trusted.until;
  return early || late ? `the key ${key_id} did not sign on ${made_at}` : null;
};

const check = async (source: Source, how: VerifyHow): Promise<Verdict> => {
  const files = await filesOf(source);
  const signed = await readSigned(source, files);
  if ('problem' in signed) return { problems: [signed.problem], good: [], receipt: null };
  const { receipt, key } = signed;
  const { problems, removed } = await fileProblems(source, files, receipt, how);
  const good = [`signature of ${packFiles.receipt} by the key ${receipt.key_id}`];
  if (problems.length === 0)
    good.push(`${receipt.files.length - removed.length} files: every size and checksum`);
  const history = files.get(packFiles.history);
  if (history && problems.length === 0) {
    const problem = await historyProblem(source, history, receipt);
    if (problem === null) good.push(`history: unbroken, changes: ${receipt.history.entries}`);
    else problems.push(problem);
  }
  if (how.trusted) {
    const problem = keyProblem(receipt, key, await how.trusted(receipt.key_id));
    if (problem === null) good.push('the key is one that you trust');
    else problems.push(problem);
  }
  if (removed.length > 0 && how.without_text)
    good.push(`texts were removed (${removed.join(', ')}); receipt and photos hold without them`);
  return { problems, good, receipt };
};

/** Never throws for what a pack holds; errors of disk and network pass. */
export const verifyPack = async (source: Source, how: VerifyHow): Promise<Verdict> => {
  try {
    return await check(source, how);
  } catch (error) {
    if (!(error instanceof BadZip)) throw error;
    return { problems: [error.message], good: [], receipt: null };
  }
};
