/**
 * How much a user may have waiting in a company, announced or sent and part of no record yet, and how much a company may
 * keep: what anybody with a token can put on the disk is bounded (failures S28). What waits makes room by itself, when a
 * record takes it or its week ends; so it is a 429. Only what could never fit is a 413.
 */
import type { Options } from '../options.ts';
import type { Db } from '../store/db.ts';
import { countWaitingUploads } from '../store/uploads.ts';
import { Refusal } from './problem.ts';

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

/** Bytes that the user may still send. Infinity: no limit. @throws Refusal 429 when there is no room at all */
export const roomOf = async (db: Db, owner: Owner, options: QuotaOptions): Promise<number> => {
  const most = options['upload-max-waiting'];
  if (most === 0) return Infinity;
  const { bytes } = await countWaitingUploads(db, owner);
  if (bytes >= most) throw waitingFull(`uploads of ${bytes} bytes`);
  return most - bytes;
};

/**
 * Is there room for one more upload of `size` bytes (0: not announced)? Call it in the transaction that writes it down.
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

/** `stored`: what the company keeps already, bytes. @throws Refusal 413, 429 */
export const checkStored = (stored: number, size: number, options: QuotaOptions): void => {
  const most = options['upload-max-stored'];
  if (most === 0 || stored + size <= most) return;
  if (size > most) throw new Refusal(413, [`A company may keep ${most} bytes of files in all.`]);
  throw full(
    `The company keeps ${stored} bytes of files, and may keep ${most}. The operator of this service can allow more (--upload-max-stored).`,
  );
};
