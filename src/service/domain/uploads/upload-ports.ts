/**
 * The operations that records need of uploads: associate, view, release. near-misses.ts and
 * time-and-material-entry-attachments.ts call them inside their transaction, so that a record and its files are written
 * atomically.
 */
import type { Attachment } from '../../../contract/rest/attachments.ts';
import type { Db } from '../../store/engine/db.ts';

/** A stored attachment of any record, with everything a response needs. */
interface AttachedFile {
  readonly id: number;
  /** Null if there is no file, and therefore no addresses. */
  readonly stored_file_id: number | null;
  readonly filename: string;
  readonly content_type: string;
}

export interface AssociatedUpload {
  readonly upload_uuid: string;
  readonly stored_file_id: number;
  readonly filename: string;
  readonly content_type: string;
  readonly size: number;
  readonly sha256: string;
}

export interface AssociateInput {
  readonly company_id: number;
  /** The owner, who alone may use the upload (decisions §5.6). */
  readonly user_id: number;
  readonly record: {
    /** `plans`: the plans of a project, whose id it is, because the pages of one PDF are several plans. */
    readonly type: 'near_miss' | 'time_and_material_entry' | 'document' | 'plans';
    readonly id: number;
  };
  readonly upload_uuids: readonly string[];
  /** The field name of a 422, such as `near_miss.upload_uuids`. */
  readonly field: string;
  readonly now: number;
}

export interface UploadPorts {
  /**
   * Records the bytes of these uploads that the caller sent directly to the bucket, so that `associate` finds the uploads
   * complete. May take long for large files, so never call it inside a transaction. No-op if bytes come through the service.
   */
  settle(
    owner: { readonly company_id: number; readonly user_id: number },
    upload_uuids: readonly string[],
  ): Promise<void>;
  /**
   * Associates complete uploads with the record. Returns only new associations; an upload that already belongs to this record
   * changes nothing (decisions §5.7). Only database work.
   * @throws Refusal 422 on `field`: unknown, another user's, incomplete, expired, another record's
   */
  associate(tx: Db, input: AssociateInput): Promise<readonly AssociatedUpload[]>;
  /** The response form of each row, in order, with signed addresses below `base_url`. */
  views(
    rows: readonly AttachedFile[],
    context: { readonly company_id: number; readonly base_url: string },
  ): Attachment[];
  /** Releases an attachment of a record: its bytes may be deleted. Only database work. */
  release(
    tx: Db,
    input: { readonly company_id: number; readonly upload_uuid: string },
  ): Promise<void>;
  /** True if the file store responds. For /healthz. */
  ping(): Promise<boolean>;
  stop(): Promise<void>;
}
