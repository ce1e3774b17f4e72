/**
 * Creates an upload: cuts the photo into segments that suit link and server (segment-size.ts) and announces them.
 * Requests a form post if the server takes no segments (decisions §5.1).
 */
import { OF_ANY_KIND } from '../../contract/file-type.ts';
import type { HostEvent } from '../../contract/host.ts';
import { ok, type Result } from '../../contract/problem.ts';
import type { Upload } from '../../contract/rest/uploads.ts';
import type { Api, Target } from '../http/request.ts';
import type { Checkpoints } from './checkpoint.ts';
import type { SendParts } from './send.ts';
import type { SpooledPhoto } from './spool/spooled.ts';

export interface UploadParts extends SendParts {
  readonly api: Api;
  readonly checkpoints: Checkpoints;
  readonly emit: (event: HostEvent) => void;
}

export interface UploadJob {
  readonly photo: SpooledPhoto;
  readonly target: Target;
  /** Owner of the upload: see `Checkpoint`. */
  readonly account: string;
  readonly signal: AbortSignal;
}

type Step = Extract<HostEvent, { kind: 'photo.progress' }>['step'];

const PROGRESS_MS = 200;

export const createProgress = (
  emit: (event: HostEvent) => void,
  photo: SpooledPhoto,
  now: () => number,
) => {
  let shown = -Infinity;
  let lastStep: Step | null = null;
  return (step: Step, sent: number): void => {
    if (step === lastStep && sent < photo.size && now() - shown < PROGRESS_MS) return;
    shown = now();
    lastStep = step;
    emit({ kind: 'photo.progress', photo_id: photo.photo_id, step, sent, size: photo.size });
  };
};

export type Progress = ReturnType<typeof createProgress>;

/**
 * The photo with segments of this size. Uses the spool's or stored hashes if they match; otherwise reads the file
 * again.
 */
export const cutAs = async (
  parts: UploadParts,
  photo: SpooledPhoto,
  segment_size: number,
  progress: Progress,
): Promise<Result<SpooledPhoto>> => {
  if (segment_size === photo.segment_size) return ok(photo);
  if (photo.segments.length === 1 && segment_size >= photo.size)
    return ok({ ...photo, segment_size });
  const { size, sha256, md5 } = photo;
  if (md5 !== undefined && segment_size >= size)
    return ok({ ...photo, segment_size, segments: [{ size, sha256, md5 }] });
  const kept = await parts.checkpoints.layout(photo.photo_id);
  if (kept?.sha256 === photo.sha256 && kept.segment_size === segment_size)
    return ok({ ...photo, segment_size, segments: kept.segments });
  progress('hashing', 0);
  const hashed = await parts.spool.hash(photo, segment_size);
  if (!hashed.ok) return hashed;
  const segments = [...hashed.value];
  await parts.checkpoints.keepLayout(photo.photo_id, {
    sha256: photo.sha256,
    segment_size,
    segments,
  });
  return ok({ ...photo, segment_size, segments });
};

export interface Created {
  readonly upload: Upload;
  /** The photo as it was announced. */
  readonly photo: SpooledPhoto;
}

export const announce = async (
  parts: UploadParts,
  job: UploadJob,
  progress: Progress,
): Promise<Result<Created>> => {
  const { photo, target } = job;
  const params = { company_id: target.company_id };
  const body = {
    response_filename: photo.filename,
    // Sent only if the type is certain (reference: Company uploads).
    ...(photo.content_type === OF_ANY_KIND ? {} : { response_content_type: photo.content_type }),
    size: photo.size,
  };
  const ask = async (more: { readonly segments?: SpooledPhoto['segments'] }) => {
    const given = { params, body: { ...body, ...more } };
    const made = await parts.api.call(target, 'uploads.create', given, job.signal);
    if (made.ok) parts.link.learn(target.base, made.value.data);
    return made;
  };
  const wanted = () => parts.link.segmentSize(target.base, photo);
  let cut: Result<SpooledPhoto> = await cutAs(parts, photo, wanted(), progress);
  if (!cut.ok) return cut;
  const made = await ask({ segments: cut.value.segments });
  if (made.ok) return ok({ upload: made.value.data, photo: cut.value });
  // A server without segments rejects that field and gets one form post.
  const { problem } = made;
  const aboutSegments =
    problem.kind === 'refused' &&
    Object.keys(problem.fields).some((name) => name.startsWith('segments'));
  if (!aboutSegments) return made;
  const plain = await ask({});
  if (!plain.ok) return plain;
  // It may only want other sizes and have advertised them.
  const others = wanted();
  if (others !== cut.value.segment_size) {
    cut = await cutAs(parts, photo, others, progress);
    if (!cut.ok) return cut;
    const again = await ask({ segments: cut.value.segments });
    if (again.ok) return ok({ upload: again.value.data, photo: cut.value });
  }
  return ok({ upload: plain.value.data, photo });
};
