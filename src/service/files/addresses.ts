/**
 * Signs and verifies the URLs that need no token: for a segment PUT, and for reading bytes back. A URL carries its
 * expiry and a signature; the path of the form post has none, because the form's fields are signed. Responses prepend
 * the base URL that the client used, so that URLs work through any proxy.
 */
import type { Signer } from './signing.ts';

/** All paths below this prefix need no token and no company header (decisions §5.2). */
export const STORAGE_PREFIX = '/storage';

const views = ['content', 'thumbnail', 'presentation'] as const;
export type FileView = (typeof views)[number];
export const isFileView = (text: string): text is FileView =>
  (views as readonly string[]).includes(text);

export interface UploadPlace {
  readonly company_id: number;
  readonly uuid: string;
}

export interface FilePlace {
  readonly company_id: number;
  readonly id: number;
}

/** The unverified query of a signed URL. */
export interface SignedQuery {
  readonly expires?: unknown;
  readonly signature?: unknown;
}

export type Verdict = 'good' | 'expired' | 'forged';

const HEX = /^[0-9a-f]{64}$/;

const address = (signer: Signer, path: string, expires: number): string =>
  `${path}?expires=${expires}&signature=${signer.sign('address', { path, expires })}`;

/** Checks the signature and the expiry against `now` (milliseconds since the epoch). */
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
 * A URL for reading. Its expiry is rounded to a multiple of half the window, so that two requests in a row get the
 * same URL, which a browser can cache. It is valid for at least half the window.
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

/** An evidence pack (decisions §19.2). The address names who asked and what for, so that its signature covers them. */
export interface PackPlace {
  readonly company_id: number;
  readonly project_id: number;
  readonly near_miss_id: number;
  readonly user_id: number;
  /** `masked-en` */
  readonly view: string;
}

const packPath = ({ company_id, project_id, near_miss_id, user_id, view }: PackPlace): string =>
  `${STORAGE_PREFIX}/evidence/${company_id}/${project_id}/${near_miss_id}/${user_id}/${view}`;

/** `expires`: milliseconds since the epoch. */
export const packAddress = (signer: Signer, place: PackPlace, expires: number): string =>
  address(signer, packPath(place), expires);

export const judgePack = (
  signer: Signer,
  place: PackPlace,
  query: SignedQuery,
  now: number,
): Verdict => judge(signer, packPath(place), query, now);
