/** Company uploads: form post or segments (reference: Company uploads; decisions §5). */
import { z } from 'zod';
import { answered, answeredByUs } from './protocol/answered.ts';
import { dateTime, endpoint, pathId } from './protocol/endpoint.ts';

export const MIN_SEGMENT_SIZE = 256 * 1024;
export const MAX_SEGMENT_SIZE = 100 * 1024 * 1024;
export const MAX_SEGMENTS = 10_000;

export const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits');
export const md5Hex = z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 lower-case hex digits');

const size = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);

/** A segment in a create request: `size` and `sha256` are required, `md5` is optional (decisions §5.1). */
export const segmentCreate = z.object({ size, sha256: sha256Hex, md5: md5Hex.nullish() });

/** A segment in a complete request: its etag, or null for "not yet" (decisions §5.3). */
const segmentComplete = z.object({
  size: size.optional(),
  sha256: sha256Hex.optional(),
  md5: md5Hex.nullish(),
  etag: z.string().nullable(),
});

export const segment = z.object({
  size: z.number().int(),
  sha256: answered(z.string()),
  md5: answered(z.string().nullable()),
  etag: answered(z.string().nullable()),
  /**
   * Address for the PUT of the raw bytes, with exactly `headers` and no Authorization. Both are null once the segment can no
   * longer be sent.
   */
  url: answered(z.string().nullable()),
  headers: answered(z.record(z.string(), z.string()).nullable()),
});
export type Segment = z.infer<typeof segment>;

export const uploadStatuses = ['ready', 'receiving', 'complete', 'associated'] as const;

export const upload = z.object({
  uuid: z.string().min(1),
  url: answered(z.string()),
  fields: answered(z.record(z.string(), z.string())),
  /** Present if the upload was created with segments. */
  segments: answered(z.array(segment).optional(), z.array(segment)),
  /** [ours] The fields from here on (decisions §5.1). */
  status: answeredByUs(z.enum(uploadStatuses)),
  min_segment_size: answeredByUs(z.number().int()),
  max_segment_size: answeredByUs(z.number().int()),
  max_segments: answeredByUs(z.number().int()),
  post_expires_at: answeredByUs(dateTime),
  expires_at: answeredByUs(dateTime),
});
export type Upload = z.infer<typeof upload>;

export const uploadCreate = z.object({
  response_filename: z.string().min(1).max(10_000),
  response_content_type: z.string().max(255).nullish(),
  attachment_content_disposition: z.boolean().nullish(),
  size: z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER).nullish(),
  segments: z.array(segmentCreate).min(1).max(MAX_SEGMENTS).nullish(),
});
export type UploadCreate = z.infer<typeof uploadCreate>;

export const uploadComplete = z.object({
  segments: z.array(segmentComplete).min(1).max(MAX_SEGMENTS),
});

const tag = 'Uploads';
const company = '/rest/v1.1/companies/{company_id}/uploads';
const uuid = z.string().min(1).max(200);

export const uploadEndpoints = {
  'uploads.create': endpoint({
    method: 'POST',
    path: company,
    params: { company_id: pathId },
    body: uploadCreate,
    reply: upload,
    status: 201,
    tag,
    summary: 'Create an upload',
  }),
  'uploads.show': endpoint({
    method: 'GET',
    path: `${company}/{uuid}`,
    params: { company_id: pathId, uuid },
    reply: upload,
    tag,
    summary: 'Show an upload, with segment addresses renewed',
  }),
  'uploads.update': endpoint({
    method: 'PATCH',
    path: `${company}/{uuid}`,
    params: { company_id: pathId, uuid },
    body: uploadComplete,
    reply: upload,
    tag,
    summary: 'Complete an upload, or keep partial progress',
  }),
};
