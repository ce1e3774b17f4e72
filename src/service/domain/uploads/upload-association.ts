/**
 * Implements the operations that records perform on uploads (upload-ports.ts; decisions §3.7, §5.6-5.8, §6). Only database
 * work, inside the record's transaction.
 */
import type { Attachment } from '../../../contract/rest/attachments.ts';
import { fileAddress, type FileView } from '../../files/addresses.ts';
import { mayHaveThumbnail } from '../../files/content.ts';
import type { Signer } from '../../files/signing.ts';
import type { Db } from '../../store/engine/db.ts';
import {
  associateUpload,
  findStoredFile,
  findUpload,
  markDeleting,
  type UploadRow,
} from '../../store/uploads.ts';
import { invalid } from '../problem.ts';
import type { AssociatedUpload, AssociateInput, UploadPorts } from './upload-ports.ts';
import { isComplete, isOver } from './uploads.ts';

export const UUIDS_MAX = 1000;

/** The reason why an upload cannot be associated. Null if it can, or if it already belongs to this record. */
const obstacle = (upload: UploadRow | undefined, input: AssociateInput): string | null => {
  if (!upload || upload.owner_id !== input.user_id) return 'is no upload of yours';
  if (isOver(upload, input.now)) return 'has expired: upload the file again';
  if (upload.associated_at !== null)
    return upload.associated_type === input.record.type && upload.associated_id === input.record.id
      ? null
      : 'already belongs to another record';
  return isComplete(upload) ? null : 'is not complete: send its bytes first';
};

const associate = async (tx: Db, input: AssociateInput): Promise<readonly AssociatedUpload[]> => {
  const uuids = [...new Set(input.upload_uuids)];
  if (uuids.length > UUIDS_MAX)
    throw invalid({ [input.field]: [`must be at most ${UUIDS_MAX} uploads`] });
  const fresh: UploadRow[] = [];
  const messages: string[] = [];
  for (const uuid of uuids) {
    const upload = await findUpload(tx, input.company_id, uuid);
    const problem = obstacle(upload, input);
    if (problem !== null) messages.push(`${uuid.slice(0, 60)} ${problem}`);
    else if (upload && upload.associated_at === null) fresh.push(upload);
  }
  if (messages.length > 0) throw invalid({ [input.field]: messages.slice(0, 20) });

  const taken: AssociatedUpload[] = [];
  for (const upload of fresh) {
    const file = await findStoredFile(tx, input.company_id, upload.stored_file_id ?? 0);
    if (!file) throw new Error('a complete upload without a stored file');
    await associateUpload(tx, upload, input.record, input.now);
    taken.push({
      upload_uuid: upload.uuid,
      stored_file_id: file.id,
      filename: file.filename,
      content_type: file.content_type,
      size: file.size,
      sha256: file.sha256,
    });
  }
  return taken;
};

/**
 * @param clock the uploads' clock, which never goes back: the record's own time may be older than a time this data folder has
 * seen
 */
export const recordPorts = (
  signer: Signer,
  windowMs: number,
  clock: () => number,
): Pick<UploadPorts, 'associate' | 'views' | 'release'> => ({
  associate: (tx, input) => associate(tx, { ...input, now: Math.max(input.now, clock()) }),
  views: (rows, { company_id, base_url }) => {
    const now = clock();
    return rows.map((row): Attachment => {
      const id = row.stored_file_id;
      const address = (view: FileView): string | null =>
        id === null
          ? null
          : base_url + fileAddress(signer, { company_id, id }, view, now, windowMs);
      return {
        id: row.id,
        attachment_id: id,
        content_type: row.content_type,
        url: address('content'),
        presentation_url: address('presentation'),
        thumbnail_url: mayHaveThumbnail(row.content_type) ? address('thumbnail') : null,
        filename: row.filename,
      };
    });
  },
  release: (tx, { company_id, upload_uuid }) => markDeleting(tx, company_id, upload_uuid),
});
