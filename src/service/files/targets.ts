/**
 * Creates the targets a client sends its bytes to: the service for a disk store, or the bucket. Call it outside of
 * transactions, because signing for a bucket may fetch credentials. Targets are generated on each call, which renews
 * expired ones (decisions §5.4).
 */
import type { SegmentRow, UploadRow } from '../store/uploads.ts';
import { postPath, segmentAddress } from './addresses.ts';
import { type FileStore, segmentName, type SegmentTarget } from './file-store.ts';
import { formFields, type FormPolicy } from './form-policy.ts';
import type { Signer } from './signing.ts';

export interface Targets {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
  /** By position. */
  readonly segments: readonly SegmentTarget[];
}

export interface TargetContext {
  readonly now: number;
  readonly base_url: string;
  readonly signer: Signer;
  readonly files: Pick<FileStore, 'direct'>;
  readonly segment_window: number;
}

const throughService = (
  context: TargetContext,
  upload: UploadRow,
  policy: FormPolicy,
  rows: readonly SegmentRow[],
): Targets => {
  const { base_url, signer, now } = context;
  const expires = Math.min(now + context.segment_window, upload.expires_at);
  return {
    url: base_url + postPath(upload),
    fields: { ...formFields(signer, policy) },
    segments: rows.map((row) => ({
      url: base_url + segmentAddress(signer, upload, row.position, expires),
      headers: {
        'x-amz-content-sha256': row.sha256,
        ...(row.md5 === null
          ? {}
          : { 'content-md5': Buffer.from(row.md5, 'hex').toString('base64') }),
        'content-length': String(row.size),
      },
    })),
  };
};

/** Call it for an open upload; `rows` are its segments. */
export const targetsFor = async (
  context: TargetContext,
  upload: UploadRow,
  policy: FormPolicy,
  rows: readonly SegmentRow[],
): Promise<Targets> => {
  const { direct } = context.files;
  if (!direct) return throughService(context, upload, policy, rows);
  const { uuid, size } = upload;
  const left = upload.post_expires_at - context.now;
  const valid_ms = Math.min(context.segment_window, upload.expires_at - context.now);
  const form = { valid_ms: left, max_size: policy.max_size, size };
  const segments: SegmentTarget[] = [];
  for (const row of rows)
    segments.push(await direct.segment(uuid, segmentName(row.position), row, valid_ms));
  // After its hour there is no form: signing another would extend the hour.
  const { url, fields } =
    left > 0 && rows.length === 0 ? await direct.form(uuid, form) : { url: '', fields: {} };
  return { url, fields, segments };
};
