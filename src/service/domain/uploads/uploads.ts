/**
 * The rules of the upload lifecycle (reference: Upload lifecycle; decisions §5): validation on creation, access, completion and
 * expiry. files/ handles the bytes.
 */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import {
  MAX_SEGMENT_SIZE,
  MAX_SEGMENTS,
  MIN_SEGMENT_SIZE,
  uploadStatuses,
  type Segment,
  type Upload,
  type uploadComplete,
  type UploadCreate,
} from '../../../contract/rest/uploads.ts';
import { contentTypeOf, isMediaType, keptName } from '../../files/content.ts';
import type { FileStore, Part } from '../../files/file-store.ts';
import type { FormPolicy } from '../../files/form-policy.ts';
import type { Signer } from '../../files/signing.ts';
import { targetsFor, type Targets } from '../../files/targets.ts';
import type { Options } from '../../options.ts';
import type { Db } from '../../store/engine/db.ts';
import {
  completeUpload,
  findUpload,
  insertUpload,
  listSegments,
  type SegmentRow,
  type StoredFileRow,
  type UploadRow,
} from '../../store/uploads.ts';
import { contentTag, requireMatch } from '../etag.ts';
import { gone, invalid, notFound } from '../problem.ts';
import { checkRoom, checkStored, type QuotaOptions } from './upload-quota.ts';

export type UploadOptions = Pick<
  Options,
  'upload-post-window' | 'upload-association-window' | 'upload-segment-window' | 'upload-max-size'
> &
  QuotaOptions;

export interface UploadContext {
  readonly company_id: number;
  readonly user_id: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly base_url: string;
  readonly options: UploadOptions;
  readonly signer: Signer;
  readonly files: Pick<FileStore, 'direct'>;
  /** Bytes of files that the company stores, cached for some minutes. */
  readonly storedBytes: () => Promise<number>;
}

type Completion = z.output<typeof uploadComplete>;

/** True if the upload was released, swept, or has expired and is not swept yet (decisions §5.6). */
export const isOver = (upload: UploadRow, now: number): boolean =>
  upload.status === 'deleting' ||
  upload.status === 'deleted' ||
  (upload.associated_at === null && now >= upload.expires_at);

export const isComplete = (upload: UploadRow): boolean =>
  upload.status === 'complete' || upload.status === 'associated';

/**
 * The content of the signed form fields. It depends only on row and options, so that it can be rebuilt identically for
 * verification.
 */
export const policyOf = (upload: UploadRow, options: UploadOptions): FormPolicy => ({
  uuid: upload.uuid,
  owner_id: upload.owner_id,
  company_id: upload.company_id,
  expires_at: upload.post_expires_at,
  max_size: upload.size ?? options['upload-max-size'],
  filename: upload.response_filename,
  content_type: upload.response_content_type,
});

const segmentProblems = (body: UploadCreate, maxSize: number): Record<string, string[]> => {
  const segments = body.segments ?? [];
  const errors: Record<string, string[]> = {};
  segments.forEach(({ size }, index) => {
    const last = index === segments.length - 1;
    if (size > MAX_SEGMENT_SIZE)
      errors[`segments.${index}.size`] = [`must be at most ${MAX_SEGMENT_SIZE}`];
    else if (!last && size < MIN_SEGMENT_SIZE)
      errors[`segments.${index}.size`] = [
        `must be at least ${MIN_SEGMENT_SIZE}, except for the last segment`,
      ];
  });
  const sum = segments.reduce((total, { size }) => total + size, 0);
  if (segments.length > 0 && body.size !== undefined && body.size !== null && body.size !== sum)
    errors['size'] = [`must be the sum of the segments, ${sum}`];
  else if (Math.max(sum, body.size ?? 0) > maxSize) errors['size'] = [`must be at most ${maxSize}`];
  return Object.fromEntries(Object.entries(errors).slice(0, 20));
};

/** @throws Refusal 422 */
const checkAnnounced = (body: UploadCreate, options: UploadOptions): void => {
  const errors = segmentProblems(body, options['upload-max-size']);
  const type = body.response_content_type;
  if (type !== undefined && type !== null && !isMediaType(type))
    errors['response_content_type'] = ['must be a content type such as image/jpeg'];
  if (Object.keys(errors).length > 0) throw invalid(errors);
};

/**
 * Addresses for everything that can still be sent. For a complete upload only the form's address, which no longer accepts
 * anything.
 */
const issue = (
  context: UploadContext,
  upload: UploadRow,
  rows: readonly SegmentRow[],
): Promise<Targets> =>
  targetsFor(
    { ...context, segment_window: context.options['upload-segment-window'] },
    upload,
    policyOf(upload, context.options),
    isComplete(upload) ? [] : rows,
  );

const segmentView = (row: SegmentRow, target: Targets['segments'][number] | null): Segment => ({
  size: row.size,
  sha256: row.sha256,
  md5: row.md5,
  etag: row.etag,
  url: target?.url ?? null,
  headers: target === null ? null : { ...target.headers },
});

const time = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** The response. A complete upload has no segment addresses. */
const uploadView = (
  upload: UploadRow,
  segments: readonly SegmentRow[],
  targets: Targets,
): Upload => ({
  uuid: upload.uuid,
  url: targets.url,
  fields: { ...targets.fields },
  ...(upload.segmented === 1
    ? {
        segments: segments.map((row, index) =>
          segmentView(row, isComplete(upload) ? null : (targets.segments[index] ?? null)),
        ),
      }
    : {}),
  status: uploadStatuses.find((status) => status === upload.status) ?? 'ready',
  min_segment_size: MIN_SEGMENT_SIZE,
  max_segment_size: MAX_SEGMENT_SIZE,
  max_segments: MAX_SEGMENTS,
  post_expires_at: time(upload.post_expires_at),
  expires_at: time(upload.expires_at),
});

/** Changes when the status or a received segment changes, which clients poll for. */
const tagOf = (upload: UploadRow, segments: readonly SegmentRow[]): string =>
  contentTag([upload.uuid, upload.status, segments.map(({ etag }) => etag)]);

/** An upload and the ETag of this state (decisions §1.7). */
interface Tagged {
  readonly data: Upload;
  readonly etag: string;
}

/**
 * Decisions §5.1, §5.9. Returns a function that inserts the upload inside a transaction; the addresses are made before it.
 * @throws Refusal 413, 422, 429
 */
export const createUpload = async (
  context: UploadContext,
  project_id: number | null,
  body: UploadCreate,
): Promise<(tx: Db) => Promise<Upload>> => {
  checkAnnounced(body, context.options);
  const { company_id, now, options } = context;
  const uuid: string = randomUUID();
  const upload: UploadRow = {
    company_id,
    uuid,
    project_id,
    owner_id: context.user_id,
    response_filename: keptName(body.response_filename),
    response_content_type: body.response_content_type ?? null,
    attachment_content_disposition: body.attachment_content_disposition === true ? 1 : 0,
    size: body.size ?? body.segments?.reduce((sum, { size }) => sum + size, 0) ?? null,
    segmented: body.segments ? 1 : 0,
    status: 'ready',
    created_at: now,
    post_expires_at: now + options['upload-post-window'],
    expires_at: now + options['upload-association-window'],
    completed_at: null,
    stored_file_id: null,
    associated_type: null,
    associated_id: null,
    associated_at: null,
  };
  const segments = (body.segments ?? []).map((segment, position): SegmentRow => ({
    company_id,
    upload_uuid: uuid,
    position,
    size: segment.size,
    sha256: segment.sha256,
    md5: segment.md5 ?? null,
    etag: null,
    received_at: null,
    storage_key: null,
  }));
  checkStored(await context.storedBytes(), upload.size ?? 0, options);
  const view = uploadView(upload, segments, await issue(context, upload, segments));
  return async (tx) => {
    await checkRoom(tx, context, upload.size ?? 0, options);
    await insertUpload(tx, upload, segments);
    return view;
  };
};

/**
 * The caller's own upload (decisions §5.6). @throws Refusal 404 for another user's upload, 410 if it has expired or was deleted
 */
export const ownUpload = async (
  db: Db,
  context: UploadContext,
  uuid: string,
): Promise<UploadRow> => {
  const upload = await findUpload(db, context.company_id, uuid);
  if (!upload || upload.owner_id !== context.user_id) throw notFound();
  if (isOver(upload, context.now))
    throw gone(
      'This upload was deleted: it was not used within its time, or its record let it go.',
    );
  return upload;
};

/** @throws Refusal 404, 410 */
export const showUpload = async (db: Db, context: UploadContext, uuid: string): Promise<Tagged> => {
  const upload = await ownUpload(db, context, uuid);
  const rows = await listSegments(db, context.company_id, uuid);
  const data = uploadView(upload, rows, await issue(context, upload, rows));
  return { data, etag: tagOf(upload, rows) };
};

/** The addresses for the response to a PATCH. @throws Refusal 404, 410 */
export const renewTargets = async (
  db: Db,
  context: UploadContext,
  uuid: string,
): Promise<Targets> =>
  issue(
    context,
    await ownUpload(db, context, uuid),
    await listSegments(db, context.company_id, uuid),
  );

const bareEtag = (etag: string): string => /^"(.*)"$/.exec(etag)?.[1] ?? etag;

/**
 * Every item must match the segment created at its position, and its etag the received bytes (decisions §5.3). @throws Refusal
 * 422
 */
export const checkCompletion = (body: Completion, rows: readonly SegmentRow[]): void => {
  if (rows.length === 0)
    throw invalid({
      segments: ['this upload was created without segments: post the form instead'],
    });
  if (body.segments.length !== rows.length)
    throw invalid({
      segments: [`must be all ${rows.length} segments, in the order they were created in`],
    });
  const errors: Record<string, string[]> = {};
  rows.forEach((row, index) => {
    const item = body.segments[index];
    if (!item || Object.keys(errors).length >= 20) return;
    const name = `segments.${index}`;
    const differs = (['size', 'sha256', 'md5'] as const).filter((key) => {
      const sent = item[key];
      return sent !== undefined && sent !== null && row[key] !== null && sent !== row[key];
    });
    for (const key of differs)
      errors[`${name}.${key}`] = ['is not that of the segment created here'];
    if (item.etag === null) return;
    if (row.etag === null) errors[`${name}.etag`] = ['this segment has not been received'];
    else if (bareEtag(item.etag).toLowerCase() !== row.etag)
      errors[`${name}.etag`] = ['is not the etag of the segment received here'];
  });
  if (Object.keys(errors).length > 0) throw invalid(errors);
};

export const saysComplete = (body: Completion): boolean =>
  body.segments.every(({ etag }) => etag !== null);

/** The parts of an upload after all segments have arrived. */
export const partsOf = (rows: readonly SegmentRow[]): readonly Part[] =>
  rows.map(({ storage_key, size }) => ({ name: storage_key ?? '', size }));

/** The stored file of an upload. `storage_key`: see files/reading.ts. */
export const fileFrom = (
  upload: UploadRow,
  bytes: Pick<StoredFileRow, 'storage_key' | 'size' | 'sha256' | 'md5'>,
  now: number,
): Omit<StoredFileRow, 'company_id' | 'id'> => ({
  ...bytes,
  filename: upload.response_filename,
  content_type: contentTypeOf(upload.response_filename, upload.response_content_type),
  attachment_content_disposition: upload.attachment_content_disposition,
  created_at: now,
});

/** Results of a PATCH from before its transaction. */
export interface Finding {
  /** SHA-256 (hex) of the whole file. Null while segments are missing. */
  readonly digest: string | null;
  readonly targets: Targets;
  readonly if_match: string | undefined;
}

/**
 * The second half of a PATCH, in its transaction: completes the upload with the digest computed before. Completing a complete
 * upload changes nothing. @throws Refusal 404, 410, 412, 422
 */
export const finishSegments = async (
  tx: Db,
  context: UploadContext,
  uuid: string,
  body: Completion,
  { digest, targets, if_match }: Finding,
): Promise<Tagged> => {
  const upload = await ownUpload(tx, context, uuid);
  const rows = await listSegments(tx, context.company_id, uuid);
  requireMatch(if_match, tagOf(upload, rows));
  checkCompletion(body, rows);
  if (digest !== null && !isComplete(upload)) {
    const size = rows.reduce((sum, row) => sum + row.size, 0);
    const only = rows.length === 1 ? rows[0] : undefined;
    const storage_key = only ? `${uuid}/${only.storage_key ?? ''}` : uuid;
    await completeUpload(
      tx,
      upload,
      fileFrom(upload, { storage_key, size, sha256: digest, md5: only?.etag ?? null }, context.now),
    );
  }
  const now = await ownUpload(tx, context, uuid);
  return { data: uploadView(now, rows, targets), etag: tagOf(now, rows) };
};
