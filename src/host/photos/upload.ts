/**
 * Uploads a photo: announces the segments, sends the missing ones concurrently and completes the upload, or uses one
 * form post if the server knows no segments. A checkpoint follows each step, so that a crash costs at most the segments
 * in flight (failures A1). An expired upload restarts from the spool (A11, A12). The segment size is fixed when the
 * upload is created (segment-size.ts).
 */
import { fail, ok, type Problem, type Result } from '../../contract/problem.ts';
import type { Segment, Upload } from '../../contract/rest/uploads.ts';
import { fileProblem } from '../lib/files.ts';
import {
  announce,
  createProgress,
  cutAs,
  type Progress,
  type UploadJob,
  type UploadParts,
} from './announce.ts';
import type { Checkpoint } from './checkpoint.ts';
import { SEGMENT_SIZE } from './hash.ts';
import { postForm, putSegment } from './send.ts';
import type { SpooledPhoto } from './spool/spooled.ts';

const IN_FLIGHT = 3;
/**
 * Segments sent in a row without a failure before another lane starts. After a cut only one segment is in flight,
 * because the next cut loses all that are.
 */
const GOOD_RUN = 8;
const RESENDS = 3;
/** Rounds in a row that were cut without progress. Then the trouble is not one connection, and the upload backs off. */
const CUTS = 3;
/** How often one call restarts an expired upload before it returns the server's problem. */
const FRESH_STARTS = 2;
/** How often the segments' addresses are requested again within one upload. */
const RENEWALS = 2;

/** The upload has expired; the photo needs a new one. */
interface Spent {
  readonly spent: Problem;
}
type Outcome<T> = Result<T> | Spent;
const isSpent = (outcome: Outcome<unknown>): outcome is Spent => 'spent' in outcome;
const spent = (problem: Problem): Spent => ({ spent: problem });

/** True if the upload is gone (404, 410) or no longer ours to use (401 of its address, 403). */
const isOver = (problem: Problem): boolean =>
  problem.kind === 'gone' ||
  (problem.kind === 'refused' && (problem.status === 403 || problem.status === 401));

const show = async (parts: UploadParts, job: UploadJob, uuid: string): Promise<Result<Upload>> => {
  const params = { company_id: job.target.company_id, uuid };
  const shown = await parts.api.call(job.target, 'uploads.show', { params }, job.signal);
  return shown.ok ? ok(shown.value.data) : shown;
};

/** The server's segments if they match ours one by one and each has an address or is done; otherwise null. */
const segmentsOf = (upload: Upload, photo: SpooledPhoto): readonly Segment[] | null => {
  const segments = upload.segments ?? [];
  const same =
    segments.length === photo.segments.length &&
    segments.every(
      (one, at) => one.size === photo.segments[at]?.size && Boolean(one.url ?? one.etag),
    );
  return same ? segments : null;
};

const isComplete = (upload: Upload): boolean =>
  upload.status === 'complete' || upload.status === 'associated';

interface Begun {
  readonly upload: Upload;
  readonly checkpoint: Checkpoint;
  /** The job, with its photo cut into this upload's segments. */
  readonly job: UploadJob;
}

/** Resumes an existing upload. */
const takeUp = async (
  parts: UploadParts,
  job: UploadJob,
  had: Checkpoint,
  progress: Progress,
): Promise<Outcome<Begun>> => {
  const shown = await show(parts, job, had.uuid);
  if (!shown.ok) return isOver(shown.problem) ? spent(shown.problem) : shown;
  parts.link.learn(job.target.base, shown.value);
  const size = had.segment_size;
  const cut = await cutAs(parts, job.photo, size, progress);
  if (!cut.ok) return cut;
  const segments = shown.value.segments ?? [];
  // The server's list decides: a segment that it does not list is lost.
  const etags = had.etags.map((_, at) => segments[at]?.etag ?? null);
  return ok({
    upload: shown.value,
    job: { ...job, photo: cut.value },
    checkpoint: { ...had, etags, done: had.done || isComplete(shown.value) },
  });
};

/** Creates or resumes an upload and writes the checkpoint. */
const open = async (
  parts: UploadParts,
  job: UploadJob,
  progress: Progress,
): Promise<Outcome<Begun>> => {
  const { account, target } = job;
  const had = await parts.checkpoints.get(job.photo.photo_id);
  if (had && had.account === account && had.company_id === target.company_id)
    return takeUp(parts, job, had, progress);
  const made = await announce(parts, job, progress);
  if (!made.ok) return made;
  const { upload, photo } = made.value;
  const mode = segmentsOf(upload, photo) ? 'segments' : 'form';
  if (mode === 'form' && !upload.url)
    return fail({
      kind: 'broken_reply',
      status: 201,
      looks_like: 'wrong_shape',
      detail: 'the upload has neither segments nor an address for a form post',
    });
  const checkpoint: Checkpoint = {
    version: 1,
    account,
    company_id: target.company_id,
    uuid: upload.uuid,
    mode,
    segment_size: photo.segment_size,
    etags: mode === 'segments' ? photo.segments.map(() => null) : [],
    done: false,
  };
  await parts.checkpoints.put(photo.photo_id, checkpoint);
  return ok({ upload, checkpoint, job: { ...job, photo } });
};

/** Sends one segment. Bytes corrupted in transit are sent again; corruption on disk is reported (failures A13). */
const sendOne = async (
  parts: UploadParts,
  job: UploadJob,
  index: number,
  segment: Segment,
  signal: AbortSignal,
): Promise<Result<string>> => {
  const { photo, target } = job;
  const hash = photo.segments[index];
  if (!hash) return fail({ kind: 'bug', detail: `segment ${index} of ${photo.segments.length}` });
  const at = { index, hash, segment, base: target.base };
  for (let resent = 0; ; resent += 1) {
    const sent = await putSegment(parts, photo, at, signal);
    if (sent.ok) return sent;
    const refused = sent.problem.kind === 'refused' && sent.problem.status === 400;
    if (refused && resent < RESENDS) continue;
    // A failed or short read shows as a broken request: check the file before blaming the network.
    if (!refused && sent.problem.kind !== 'offline') return sent;
    const local = refused ? await parts.spool.check(photo) : await parts.spool.find(photo.photo_id);
    return local.ok ? sent : local;
  }
};

/** A connection cut midway. Usually the line is at fault, and the next one succeeds. */
const wasCut = (problem: Problem): boolean =>
  problem.kind === 'offline' && problem.reason === 'reset';

/**
 * Sends the missing segments, first `lanes` at a time, then more. The first problem stops the others, but after a cut
 * they finish.
 */
const sendMissing = async (
  parts: UploadParts,
  job: UploadJob,
  segments: readonly Segment[],
  checkpoint: Checkpoint,
  progress: Progress,
  lanes: number,
): Promise<Result<Checkpoint>> => {
  const { photo } = job;
  const etags = [...checkpoint.etags];
  const missing = etags.flatMap((etag, index) => (etag === null ? [index] : []));
  const stop = new AbortController();
  const signal = AbortSignal.any([job.signal, stop.signal]);
  const now = (): Checkpoint => ({ ...checkpoint, etags: [...etags] });
  let problem: Problem | null = null;
  const sentBytes = () =>
    photo.segments.reduce((sum, one, at) => sum + (etags[at] === null ? 0 : one.size), 0);

  const going: Promise<void>[] = [];
  let run = 0;
  const lane = async (): Promise<void> => {
    for (let index = missing.shift(); index !== undefined && !problem; index = missing.shift()) {
      const segment = segments[index];
      if (!segment) return;
      const sent = await sendOne(parts, job, index, segment, signal);
      if (!sent.ok) {
        problem ??= sent.problem;
        if (!wasCut(sent.problem)) stop.abort();
        return;
      }
      etags[index] = sent.value;
      run += 1;
      if (run % GOOD_RUN === 0 && going.length < IN_FLIGHT) begin();
      await parts.checkpoints.put(photo.photo_id, now());
      progress('sending', sentBytes());
    }
  };
  progress('sending', sentBytes());
  const begin = (): void => {
    const broke = (error: unknown) => {
      problem ??= fileProblem(error);
      stop.abort();
    };
    going.push(lane().catch(broke));
  };
  for (let left = Math.min(lanes, missing.length); left > 0; left -= 1) begin();
  for (let at = 0; at < going.length; at += 1) await going[at];
  return problem ? fail(problem) : ok(now());
};

const complete = async (
  parts: UploadParts,
  job: UploadJob,
  checkpoint: Checkpoint,
): Promise<Result<null>> => {
  const segments = job.photo.segments.map((one, at) => ({
    ...one,
    etag: checkpoint.etags[at] ?? null,
  }));
  const done = await parts.api.call(
    job.target,
    'uploads.update',
    { params: { company_id: job.target.company_id, uuid: checkpoint.uuid }, body: { segments } },
    job.signal,
  );
  return done.ok ? ok(null) : done;
};

const isIn = (etags: Checkpoint['etags']): number => etags.filter((etag) => etag !== null).length;

/**
 * True if the segments may be too large for a breaking line. While none is uploaded, restarting with smaller ones loses
 * nothing.
 */
const isCutLarge = (photo: SpooledPhoto): boolean => largest(photo) > SEGMENT_SIZE;

const largest = ({ segment_size, size }: SpooledPhoto): number => Math.min(segment_size, size);

/** A proxy rejects the body's size, whatever the server allows. The default limit of nginx is 1 MB. */
const isTooLarge = (problem: Problem): boolean =>
  (problem.kind === 'refused' || problem.kind === 'broken_reply') && problem.status === 413;

/** The server's list decides: a segment with a lost answer is not sent again. */
const withServerEtags = (checkpoint: Checkpoint, { segments }: Upload): Checkpoint => ({
  ...checkpoint,
  etags: checkpoint.etags.map((_, at) => segments?.[at]?.etag ?? null),
});

/**
 * Sends segments, renews expired addresses and completes the upload. On a breaking line, the missing segments are
 * requested and sent again at once, as long as there is progress; progress resets the count of cuts.
 */
const bySegments = async (
  parts: UploadParts,
  job: UploadJob,
  begun: { upload: Upload; checkpoint: Checkpoint },
  progress: Progress,
): Promise<Outcome<null>> => {
  let { upload, checkpoint } = begun;
  let cuts = 0;
  let lanes = IN_FLIGHT;
  for (let renewed = 0; ;) {
    const segments = segmentsOf(upload, job.photo);
    if (!segments)
      return spent({
        kind: 'broken_reply',
        status: 200,
        looks_like: 'wrong_shape',
        detail: 'the upload shows other segments than were announced',
      });
    const sent = await sendMissing(parts, job, segments, checkpoint, progress, lanes);
    let problem: Problem | null = sent.ok ? null : sent.problem;
    if (sent.ok) {
      progress('completing', job.photo.size);
      const done = await complete(parts, job, sent.value);
      if (done.ok) return done;
      problem = done.problem;
    }
    // Restart with smaller segments.
    if (problem && isTooLarge(problem) && parts.link.tooLarge(job.target.base, largest(job.photo)))
      return spent(problem);
    const wrongEtags = problem?.kind === 'refused' && problem.status === 422;
    const cut = problem !== null && wasCut(problem) && cuts < CUTS && !job.signal.aborted;
    if (!problem || (!isOver(problem) && !wrongEtags && !cut))
      return fail(problem ?? { kind: 'cancelled' });
    if (!cut && renewed >= RENEWALS) return spent(problem);
    if (!cut) renewed += 1;
    const again = await show(parts, job, checkpoint.uuid);
    if (!again.ok) return isOver(again.problem) ? spent(again.problem) : again;
    if (isComplete(again.value)) return ok(null);
    upload = again.value;
    const had = isIn(checkpoint.etags);
    checkpoint = withServerEtags(checkpoint, upload);
    if (cut && isIn(checkpoint.etags) === 0 && isCutLarge(job.photo)) {
      parts.link.forget();
      return spent(problem);
    }
    if (cut) lanes = 1;
    if (cut) cuts = isIn(checkpoint.etags) > had ? 0 : cuts + 1;
  }
};

const byForm = async (
  parts: UploadParts,
  job: UploadJob,
  upload: Upload,
  progress: Progress,
): Promise<Outcome<null>> => {
  progress('sending', 0);
  const posted = await postForm(parts, job.photo, upload, job.target.base, job.signal);
  if (posted.ok) return posted;
  const { problem } = posted;
  if (problem.kind === 'offline') {
    const local = await parts.spool.find(job.photo.photo_id);
    if (!local.ok) return local;
  }
  return isOver(problem) ? spent(problem) : posted;
};

const once = async (
  parts: UploadParts,
  whole: UploadJob,
  progress: Progress,
): Promise<Outcome<string>> => {
  progress('creating', 0);
  const begun = await open(parts, whole, progress);
  if (isSpent(begun) || !begun.ok) return begun;
  const { upload, checkpoint, job } = begun.value;
  if (checkpoint.done) return ok(checkpoint.uuid);
  const sent =
    checkpoint.mode === 'segments'
      ? await bySegments(parts, job, begun.value, progress)
      : await byForm(parts, job, upload, progress);
  if (isSpent(sent) || !sent.ok) return sent;
  await parts.checkpoints.put(job.photo.photo_id, {
    ...checkpoint,
    etags: checkpoint.etags.map((_, at) => job.photo.segments[at]?.md5 ?? null),
    done: true,
  });
  return ok(checkpoint.uuid);
};

/** Uploads a photo. Resolves to the upload's uuid once it is complete on the server. */
export const uploadPhoto = async (
  parts: UploadParts,
  job: UploadJob,
): Promise<Result<{ upload_uuid: string }>> => {
  const progress = createProgress(parts.emit, job.photo, parts.clock.monotonic);
  try {
    for (let fresh = 0; ; fresh += 1) {
      const outcome = await once(parts, job, progress);
      if (!isSpent(outcome)) return outcome.ok ? ok({ upload_uuid: outcome.value }) : outcome;
      await parts.checkpoints.drop(job.photo.photo_id);
      if (fresh >= FRESH_STARTS) return fail(outcome.spent);
    }
  } catch (error) {
    return fail(fileProblem(error));
  }
};
