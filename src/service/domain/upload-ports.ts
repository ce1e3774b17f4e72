/**
 * What records ask of uploads, and all they may know of them: take an upload over, show it, let it go. near-misses.ts
 * calls these inside its own transaction, so that a record and its photos are written together or not at all.
 */
import type { NearMissAttachment } from '../../contract/rest/attachments.ts';
import type { Db } from '../store/db.ts';

/** An attachment as stored: everything an answer needs without opening the file. */
export interface AttachmentRow {
  readonly id: number;
  readonly near_miss_id: number;
  readonly stored_file_id: number;
  readonly upload_uuid: string;
  readonly filename: string;
  readonly content_type: string;
  readonly size: number;
  readonly sha256: string;
}

/** One upload that a record has taken over. */
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
  /** Only the owner's uploads exist (decisions §5.6). */
  readonly user_id: number;
  readonly record: { readonly type: 'near_miss'; readonly id: number };
  readonly upload_uuids: readonly string[];
  /** The name that a 422 carries, `near_miss.upload_uuids`. */
  readonly field: string;
  readonly now: number;
}

export interface UploadPorts {
  /**
   * Writes down what the caller has sent for these uploads past the service, so that `associate` finds them complete.
   * May take as long as the files are large; never inside a transaction. Nothing to do where bytes come through the service.
   */
  settle(
    owner: { readonly company_id: number; readonly user_id: number },
    upload_uuids: readonly string[],
  ): Promise<void>;
  /**
   * Marks complete uploads as belonging to the record. Answers only those that are new to it: one that is this record's
   * already changes nothing (decisions §5.7). Database work only.
   * @throws Refusal 422 on `field`: unknown, someone else's, not complete, expired, another record's.
   */
  associate(tx: Db, input: AssociateInput): Promise<readonly AssociatedUpload[]>;
  /** The answer's view of each row, in order, with signed addresses below `base_url`. */
  views(
    rows: readonly AttachmentRow[],
    context: { readonly company_id: number; readonly base_url: string; readonly now: number },
  ): NearMissAttachment[];
  /** The record let this attachment go: its bytes may be deleted. Database work only. */
  release(
    tx: Db,
    input: { readonly company_id: number; readonly row: AttachmentRow; readonly now: number },
  ): Promise<void>;
  /** Does the file store answer? For /healthz. */
  ping(): Promise<boolean>;
  /** Ends what runs in the background. */
  stop(): Promise<void>;
}
