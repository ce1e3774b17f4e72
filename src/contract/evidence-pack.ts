/**
 * [ours] The files of an evidence pack (decisions §19.3), for the service that writes it and `spotter verify`, which reads it.
 * Hazard: a pack comes from anywhere. Names and sizes are bounded here, so that a reader can refuse before it reads.
 */
import { z } from 'zod';
import { dateTime, id } from './rest/protocol/endpoint.ts';

export const packFiles = {
  readme: 'README.txt',
  receipt: 'receipt.json',
  signature: 'receipt.sig',
  public_key: 'public-key.pem',
  checksums: 'SHA256SUMS',
  page: 'report.html',
  report: 'report.json',
  history: 'history.json',
} as const;

/** The signature and what it is made of and verified with: a receipt cannot list them. */
export const unlistedFiles: readonly string[] = [
  packFiles.receipt,
  packFiles.signature,
  packFiles.public_key,
];

/** The files with texts of people. Each holds a random salt, so its checksum says nothing once the file was removed. */
export const textFiles: readonly string[] = [packFiles.page, packFiles.report, packFiles.history];

export const PACK_FILES_MAX = 5000;
/** The longest file that is read whole, in bytes: receipt, and the texts of a record with a long history. */
export const PACK_TEXT_MAX = 64 * 1024 * 1024;

/** No folder but `photos`, no way up, nothing hidden. */
export const packFileName = z.string().regex(/^(?:photos\/)?[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/);

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const packReceipt = z.object({
  format: z.literal('spotter-evidence-1'),
  /** The address of the service as the exporter's computer knows it. */
  service: z.string().max(2000),
  key_id: z.string().max(100),
  /** The service's clock. */
  made_at: dateTime,
  company_id: id,
  project_id: id,
  near_miss: z.object({ id, number: z.string().max(100), updated_at: dateTime }),
  /** `masked`: people's names were replaced. */
  names: z.enum(['masked', 'as_written']),
  history: z.object({
    entries: z.number().int().nonnegative(),
    /** The hash of the newest entry (decisions §15.2); null if there is none. */
    hash: z.string().max(100).nullable(),
  }),
  /** Every other file of the pack. */
  files: z
    .array(z.object({ name: packFileName, size: z.number().int().nonnegative(), sha256 }))
    .max(PACK_FILES_MAX),
});
export type PackReceipt = z.infer<typeof packReceipt>;

/** The bytes that are signed are those of the file, so the form only has to be readable. */
export const receiptText = (receipt: PackReceipt): string =>
  `${JSON.stringify(receipt, null, 2)}\n`;

/** `sha256sum -c` reads it. */
export const checksumsText = (
  files: readonly { readonly name: string; readonly sha256: string }[],
): string => files.map(({ name, sha256: sum }) => `${sum}  ${name}\n`).join('');
