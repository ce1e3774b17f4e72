/**
 * [ours] Makes the evidence pack of a near miss (decisions §19.2, §19.3). Texts are in memory, photos are only named: their checksums
 * were taken when they arrived, so that the receipt is signed before a photo is read.
 */
import { createHash, randomBytes } from 'node:crypto';
import mime from 'mime';
import {
  checksumsText,
  PACK_TEXT_MAX,
  packFiles,
  receiptText,
  type PackReceipt,
} from '../../../contract/evidence-pack.ts';
import type { EvidenceCreate } from '../../../contract/rest/evidence/evidence.ts';
import type { FileStore, Part } from '../../files/file-store.ts';
import { locate } from '../../files/reading.ts';
import type { Db } from '../../store/engine/db.ts';
import type { AttachmentRow } from '../../store/near-misses/near-miss-attachments.ts';
import { findStoredFile } from '../../store/uploads.ts';
import { wireTime } from '../near-misses/near-miss-view.ts';
import { Refusal } from '../problem.ts';
import { readmeText } from './pack-words.ts';
import { readRecord, type Target } from './record.ts';
import { historyOf, maskerFor, reportOf, type PackPhoto } from './report.ts';
import { reportPage } from './report-page.ts';
import type { ServiceSigner } from './signing-keys.ts';

/** A file of a pack: a text, or the parts of a stored photo. */
export interface PackFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  readonly content: Buffer | { readonly upload: string; readonly parts: readonly Part[] };
}

export interface Pack {
  readonly receipt: PackReceipt;
  readonly files: readonly PackFile[];
}

export interface PackInput {
  readonly db: Db;
  readonly files: FileStore;
  readonly signer: ServiceSigner;
  readonly target: Target;
  readonly wanted: EvidenceCreate;
  readonly now: number;
  /** The address of the service. */
  readonly service: string;
}

const textFile = (name: string, content: Buffer | string): PackFile & { content: Buffer } => {
  const bytes = Buffer.from(content);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { name, size: bytes.length, sha256, content: bytes };
};

const newSalt = (): string => randomBytes(16).toString('hex');

const salted = (content: object): string =>
  `${JSON.stringify({ salt: newSalt(), ...content }, null, 2)}\n`;

const isWhole = async (
  files: FileStore,
  upload: string,
  parts: readonly Part[],
): Promise<boolean> => {
  for (const { name, size } of parts) if ((await files.sizeOf(upload, name)) !== size) return false;
  return true;
};

/** Types whose ending a file of a pack may have: none that a browser runs as a program, as it does HTML and SVG. */
const mayOpen = /^(?:image\/(?!svg)|video\/|application\/pdf$)/;

/** Named by number: the name that a photo came with may name a person. Null: its bytes are missing. */
const photoFile = async (
  { db, files, target }: PackInput,
  photo: AttachmentRow,
  number: number,
): Promise<PackFile | null> => {
  const stored = await findStoredFile(db, target.company_id, photo.stored_file_id);
  if (!stored) return null;
  const { upload, parts } = await locate(db, stored);
  if (!(await isWhole(files, upload, parts))) return null;
  const ending = mayOpen.test(stored.content_type) ? mime.getExtension(stored.content_type) : null;
  const { size, sha256 } = stored;
  return { name: `photos/${number}.${ending ?? 'bin'}`, size, sha256, content: { upload, parts } };
};

const photosOf = async (
  input: PackInput,
  rows: readonly AttachmentRow[],
): Promise<{ readonly shown: readonly PackPhoto[]; readonly files: readonly PackFile[] }> => {
  const shown: PackPhoto[] = [];
  const files: PackFile[] = [];
  for (const [index, row] of rows.entries()) {
    const file = await photoFile(input, row, index + 1);
    const filename = input.wanted.with_names ? row.filename : null;
    const { content_type, size, sha256 } = row;
    shown.push({ file: file?.name ?? null, content_type, size, sha256, filename });
    if (file) files.push(file);
  }
  return { shown, files };
};

/** @throws Refusal 422 if a text is longer than a verifier reads */
const requireVerifiable = (texts: readonly PackFile[]): void => {
  const large = texts.find(({ size }) => size > PACK_TEXT_MAX);
  if (large)
    throw new Refusal(422, [
      `${large.name} has ${large.size} bytes, and a pack is verified up to ${PACK_TEXT_MAX}: the history of this near miss is too long.`,
    ]);
};

/** @throws Refusal 404, 422, 503 */
export const makePack = async (input: PackInput): Promise<Pack> => {
  const { db, signer, target, wanted, service } = input;
  const { with_names, language } = wanted;
  const record = await readRecord(db, target);
  const { row, entries, definitions } = record;
  // A key never signs for a time before it was made, also if the clock was set back.
  const made_at = wireTime(Math.max(input.now, signer.made_at));
  const masker = maskerFor(record, with_names);
  const photos = await photosOf(input, record.photos);
  const report = reportOf(record, { masker, with_names }, photos.shown, target);
  const history = historyOf(record, { masker, with_names });
  const about = { number: report.number, made_at, key_id: signer.id, service };
  const page = { language, salt: newSalt(), made_at, with_names, report, history, definitions };
  const texts = [
    textFile(packFiles.readme, readmeText({ ...about, masked: !with_names })),
    textFile(packFiles.page, reportPage(page)),
    textFile(packFiles.report, salted(report)),
    textFile(packFiles.history, salted({ entries: history })),
  ];
  requireVerifiable(texts);
  const listed = [...texts, ...photos.files];
  const checksums = textFile(packFiles.checksums, checksumsText(listed));
  const receipt: PackReceipt = {
    format: 'spotter-evidence-1',
    service,
    key_id: signer.id,
    made_at,
    company_id: target.company_id,
    project_id: target.project_id,
    near_miss: { id: row.id, number: report.number, updated_at: report.updated_at },
    names: with_names ? 'as_written' : 'masked',
    history: { entries: entries.length, hash: entries.at(-1)?.hash ?? null },
    files: [checksums, ...listed].map(({ name, size, sha256 }) => ({ name, size, sha256 })),
  };
  const signed = textFile(packFiles.receipt, receiptText(receipt));
  return {
    receipt,
    files: [
      signed,
      textFile(packFiles.signature, signer.sign(signed.content)),
      textFile(packFiles.public_key, signer.public_key),
      checksums,
      ...listed,
    ],
  };
};

/** `evidence-12-3.zip` */
export const packZipName = (number: string): string => `evidence-${number}.zip`;
