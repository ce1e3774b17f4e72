/**
 * Chooses the headers of a stored file that is read back (decisions §5.8; failures S11, S12). A type that a browser
 * could execute is never served as itself or inline. A file name enters a header only through an encoding library
 * (RFC 6266, RFC 8187).
 */
import { create } from 'content-disposition';
import mime from 'mime';

const OCTETS = 'application/octet-stream';

const MEDIA_TYPE =
  /^[a-z0-9!#$&^_.+-]{1,80}\/[a-z0-9!#$&^_.+-]{1,80}(\s*;\s*[a-z0-9!#$&^_.+-]{1,40}=([\w.+-]{1,80}|"[\w .+-]{0,80}"))*$/i;

/** True if the text is a content type that is safe in a header. */
export const isMediaType = (text: string): boolean => MEDIA_TYPE.test(text);

/** The declared type, otherwise a guess from the extension, otherwise unknown bytes. */
export const contentTypeOf = (filename: string, declared: string | null): string =>
  declared ?? mime.getType(filename) ?? OCTETS;

const essenceOf = (type: string): string => (type.split(';', 1)[0] ?? '').trim().toLowerCase();

/** Types a browser can display without executing anything, given `nosniff` and a sandbox. */
const INLINE = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/heic',
  'image/heif',
  'image/bmp',
  'image/tiff',
  'video/mp4',
  'video/webm',
  'video/quicktime',
  'audio/mpeg',
  'audio/mp4',
  'audio/ogg',
  'audio/wav',
  'application/pdf',
  'text/plain',
]);

/** Declared types that the thumbnail decoder can read (thumbnail-worker.ts). */
const PICTURES = /^image\/(jpe?g|pjpeg|png|webp|gif|tiff|avif|heic|heif)$/;

/** False for a file declared as another type, whatever its bytes are. */
export const mayHaveThumbnail = (type: string): boolean => PICTURES.test(essenceOf(type));

/** Types that some browser executes or renders as a page: they are served as plain bytes. */
const ACTIVE =
  /html|xml|svg|script|wasm|x-shockwave|xul|mhtml|message\/|multipart\/|text\/(?!plain|csv)/;

export interface ServedAs {
  readonly type: string;
  readonly inline: boolean;
}

/** How a file of this type is served. `attachment`: its uploader asked for a download. */
export const servedAs = (type: string, attachment: boolean): ServedAs => {
  const essence = essenceOf(type);
  if (!isMediaType(type) || (ACTIVE.test(essence) && !INLINE.has(essence)))
    return { type: OCTETS, inline: false };
  if (essence === 'text/plain') return { type: 'text/plain; charset=utf-8', inline: !attachment };
  return { type, inline: !attachment && INLINE.has(essence) };
};

/** Text direction overrides make `gpj.exe` read as `exe.jpg`; control characters do not belong in a name. */
const TRICKS = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
const NAME_MAX = 150;
const EXTENSION_MAX = 20;

/** Normalizes a name for storage: no path, control characters or lone surrogates. */
export const keptName = (filename: string): string => {
  const clean = filename.toWellFormed().replace(/\p{Cc}/gu, '');
  const name = clean.split(/[/\\]/).at(-1) ?? '';
  return /^\.{0,2}$/.test(name.trim()) ? 'file' : name;
};

/** A name that is safe in a header and in a folder: no path, no direction tricks, shortened with its extension kept. */
const headerName = (filename: string): string => {
  const last = filename.replace(TRICKS, '').split(/[/\\]/).at(-1) ?? '';
  const clean = [...last.trim()];
  if (clean.length === 0 || /^\.+$/.test(last.trim())) return 'file';
  if (clean.length <= NAME_MAX) return clean.join('');
  const dot = clean.lastIndexOf('.');
  const extension = dot > 0 && clean.length - dot <= EXTENSION_MAX ? clean.slice(dot) : [];
  return [...clean.slice(0, NAME_MAX - extension.length), ...extension].join('');
};

export const dispositionOf = (filename: string, inline: boolean): string =>
  create(headerName(filename), { type: inline ? 'inline' : 'attachment' });
