/**
 * The addresses that need no token: where a segment is PUT, where the form is posted, where bytes are read back. Each
 * says until when it holds and is signed. They are paths; the answer puts in front of them the address that the client
 * itself used, so that they work through any proxy.
 */
import type { Signer } from './signing.ts';

/** Everything here lives under this path, which takes no token and no company header (decisions §5.2). */
export const STORAGE_PREFIX = '/storage';

const views = ['content', 'thumbnail', 'presentation'] as const;
export type FileView = (typeof views)[number];
export const isFileView = (text: string): text is FileView =>
  (views as readonly string[]).includes(text);

/** One upload, as its addresses name it. */
export interface UploadPlace {
  readonly company_id: number;
  readonly uuid: string;
}

/** One stored file, as its addresses name it. */
export interface FilePlace {
  readonly company_id: number;
  readonly id: number;
}

/** The query of a signed address, as it came in. */
export interface SignedQuery {
  readonly expires?: unknown;
  readonly signature?: unknown;
}

export type Verdict = 'good' | 'expired' | 'forged';

const HEX = /^[0-9a-f]{64}$/;

const address = (signer: Signer, path: string, expires: number): string =>
  `${path}?expires=${expires}&signature=${signer.sign('address', { path, expires })}`;

/** Is this address ours, and does it still hold at `now` (milliseconds since the epoch)? */
const judge = (signer: Signer, path: string, query: SignedQuery, now: number): Verdict => {
  const { expires, signature } = query;
  if (typeof expires !== 'string' || !/^[1-9]\d{0,15}$/.test(expires)) return 'forged';
  if (typeof signature !== 'string' || !HEX.test(signature)) return 'forged';
  if (!signer.verify('address', { path, expires: Number(expires) }, signature)) return 'forged';
  return Number(expires) > now ? 'good' : 'expired';
};

export const postPath = ({ company_id, uuid }: UploadPlace): string =>
  `${STORAGE_PREFIX}/posts/${company_id}/${uuid}`;

const segmentPath = ({ company_id, uuid }: UploadPlace, position: number): string =>
  `${STORAGE_PREFIX}/segments/${company_id}/${uuid}/${position}`;

const filePath = ({ company_id, id }: FilePlace, view: FileView): string =>
  `${STORAGE_PREFIX}/files/${company_id}/${id}/${view}`;

/** `expires`: milliseconds since the epoch. */
export const segmentAddress = (
  signer: Signer,
  place: UploadPlace,
  position: number,
  expires: number,
): string => address(signer, segmentPath(place, position), expires);

export const judgeSegment = (
  signer: Signer,
  place: UploadPlace,
  position: number,
  query: SignedQuery,
  now: number,
): Verdict => judge(signer, segmentPath(place, position), query, now);

/**
 * An address to read from. It ends at a multiple of half the window, so that asking twice in a row gives the same
 * address (a browser's cache can use it) and it always holds for at least half the window.
 */
export const fileAddress = (
  signer: Signer,
  place: FilePlace,
  view: FileView,
  now: number,
  windowMs: number,
): string => {
  const half = Math.max(1, Math.floor(windowMs / 2));
  return address(signer, filePath(place, view), (Math.floor(now / half) + 2) * half);
};

export const judgeFile = (
  signer: Signer,
  place: FilePlace,
  view: FileView,
  query: SignedQuery,
  now: number,
): Verdict => judge(signer, filePath(place, view), query, now);
