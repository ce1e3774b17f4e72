/**
 * What records ask of uploads, and all they may know of them: take an upload over, show it, let it go. near-misses.ts and
 * time-and-material-entry-attachments.ts call these inside their own transaction, so that a record and its files are
 * written together or not at all.
 */
import type { Attachment } from '../../contract/rest/attachments.ts';
import type { Db } from '../store/db.ts';

/** An attachment of any record as stored: what an answer needs without opening the file. */
export interface AttachedFile {
  readonly id: number;
  /** Null: there are no bytes, so there are no addresses either. */
  readonly stored_file_id: number | null;
  readonly filename: string;
  readonly content_type: string;
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
  readonly record: {
    readonly type: 'near_miss' | 'time_and_material_entry' | 'document';
    readonly id: number;
  };
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
    rows: readonly AttachedFile[],
    context: { readonly company_id: number; readonly base_url: string },
  ): Attachment[];
  /** The record let this attachment go: its bytes may be deleted. Database work only. */
  release(
    tx: Db,
    input: { readonly company_id: number; readonly upload_uuid: string },
  ): Promise<void>;
  /** Does the file store answer? For /healthz. */
  ping(): Promise<boolean>;
  /** Ends what runs in the background. */
  stop(): Promise<void>;
}
