/**
 * Verifies a photo on a time-and-material entry (reference: Time and material entry attachment). It is found by its id,
 * or, if the answer with the id was lost, by its name and bytes. The reference gives neither size nor hash, so only the
 * bytes decide.
 */
import { everyPage } from '../../contract/rest/protocol/every-page.ts';
import type { PhotoReceipt } from '../../contract/host.ts';
import { ok, type Result } from '../../contract/problem.ts';
import type { Attachment } from '../../contract/rest/attachments.ts';
import { readBack, type ReadJob, type ReadParts } from './verify.ts';

export interface AttachmentJob extends ReadJob {
  readonly project_id: number;
  readonly time_and_material_entry_id: number;
  /** Null: search by name and bytes. */
  readonly attachment_id: number | null;
  /** Attachments to exclude, because they are other photos. */
  readonly except: readonly number[];
}

const PER_PAGE = 1000;

/** The project's attachments with the photo's name, from the whole list, because it has no filter. */
const sameName = async (
  parts: ReadParts,
  job: AttachmentJob,
): Promise<Result<readonly Attachment[]>> => {
  const found: Attachment[] = [];
  const pages = everyPage(PER_PAGE, (query) =>
    parts.api.call(
      job.target,
      'time_and_material_entry_attachments.list',
      { params: { project_id: job.project_id }, query },
      job.signal,
    ),
  );
  for await (const answer of pages) {
    if (!answer.ok) return answer;
    const { data } = answer.value;
    found.push(...data.filter((one) => !one.filename || one.filename === job.photo.filename));
  }
  return ok(found.filter((one) => !job.except.includes(one.id)));
};

const candidates = async (
  parts: ReadParts,
  job: AttachmentJob,
): Promise<Result<readonly Attachment[]>> => {
  if (job.attachment_id === null) return sameName(parts, job);
  const shown = await parts.api.call(
    job.target,
    'time_and_material_entry_attachments.show',
    { params: { project_id: job.project_id, id: job.attachment_id } },
    job.signal,
  );
  return shown.ok ? ok([shown.value.data]) : shown;
};

/** The receipt; null if a search found nothing. Fails with `gone` if the named attachment is missing or different. */
export const verifyAttachment = async (
  parts: ReadParts,
  job: AttachmentJob,
): Promise<Result<PhotoReceipt | null>> => {
  const all = await candidates(parts, job);
  if (!all.ok) return all;
  const receipt = await readBack(parts, job, all.value, 'the entry has no such photo');
  if (!receipt.ok)
    return job.attachment_id === null && receipt.problem.kind === 'gone' ? ok(null) : receipt;
  const place = { kind: 'time_and_material_entry' as const, id: job.time_and_material_entry_id };
  return ok({ ...receipt.value, place });
};
