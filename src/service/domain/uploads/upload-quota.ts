/**
 * Limits a user's unassociated uploads per company, and the stored bytes per company (failures S28). Without limits anyone with
 * a token could fill the disk. Unassociated uploads free their room when a record takes them or they expire, so the refusal is
 * a 429. A size that can never fit is a 413.
 */
import type { Options } from '../../options.ts';
import type { Db } from '../../store/engine/db.ts';
import { countWaitingUploads } from '../../store/uploads.ts';
import { Refusal } from '../problem.ts';

export type QuotaOptions = Pick<
  Options,
  'upload-max-waiting' | 'upload-max-waiting-count' | 'upload-max-stored'
>;

interface Owner {
  readonly company_id: number;
  readonly user_id: number;
  readonly now: number;
}

const RETRY_SECONDS = '600';

const full = (text: string): Refusal => new Refusal(429, [text], { 'Retry-After': RETRY_SECONDS });

const tooLarge = (most: number): Refusal =>
  new Refusal(413, [`The file is larger than everything a user may have waiting, ${most} bytes.`]);

const waitingFull = (what: string): Refusal =>
  full(
    `You have ${what} waiting in this company, which is the most. Put them into records, or wait until their week is over.`,
  );

/** Bytes that the user may still send; Infinity without a limit. @throws Refusal 429 if there is no room at all */
export const roomOf = async (db: Db, owner: Owner, options: QuotaOptions): Promise<number> => {
  const most = options['upload-max-waiting'];
  if (most === 0) return Infinity;
  const { bytes } = await countWaitingUploads(db, owner);
  if (bytes >= most) throw waitingFull(`uploads of ${bytes} bytes`);
  return most - bytes;
};

/**
 * Checks for room for another upload. Call it in the transaction that inserts the upload.
 * @param size bytes; 0 if not announced
 * @throws Refusal 413, 429
 */
export const checkRoom = async (
  db: Db,
  owner: Owner,
  size: number,
  options: QuotaOptions,
): Promise<void> => {
  const { 'upload-max-waiting': bytes_max, 'upload-max-waiting-count': uploads_max } = options;
  if (bytes_max > 0 && size > bytes_max) throw tooLarge(bytes_max);
  if (bytes_max === 0 && uploads_max === 0) return;
  const { uploads, bytes } = await countWaitingUploads(db, owner);
  if (uploads_max > 0 && uploads >= uploads_max) throw waitingFull(`${uploads} uploads`);
  if (bytes_max > 0 && bytes + size > bytes_max) throw waitingFull(`uploads of ${bytes} bytes`);
};

/**
 * @param stored bytes that the company already stores
 * @throws Refusal 413, 429
 */
export const checkStored = (stored: number, size: number, options: QuotaOptions): void => {
  const most = options['upload-max-stored'];
  if (most === 0 || stored + size <= most) return;
  if (size > most) throw new Refusal(413, [`A company may keep ${most} bytes of files in all.`]);
  throw full(
    `The company keeps ${stored} bytes of files, and may keep ${most}. The operator of this service can allow more (--upload-max-stored).`,
  );
};
