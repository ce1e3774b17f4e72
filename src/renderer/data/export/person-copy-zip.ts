/**
 * Zips the copy of a person's data (decisions §22): a page for people, the same as JSON for programs, and, if they are wanted, the photos
 * of the reports that the person filed. At most one photo is in memory at a time.
 */
import { downloadZip } from 'client-zip';
import type {
  PersonCopy,
  PersonCopyPhoto,
} from '../../../contract/rest/retention/person-copies.ts';
import type { Deps } from '../db/db.ts';
import { fetchWhole } from '../photos/photos.ts';
import { personCopyPage, type PageHow } from './person-copy-page.ts';

export interface CopyProgress {
  readonly photos: number;
  readonly of: number;
  /** Photos that the server did not give. */
  readonly missing: number;
}

interface CopyHow extends Omit<PageHow, 'files'> {
  readonly with_photos: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: CopyProgress) => void;
}

/** Kinds of files that may be opened from a folder; others get an ending that nothing opens. */
const ENDINGS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/heic': 'heic',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/gif': 'gif',
  'image/tiff': 'tiff',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'application/pdf': 'pdf',
};

/** The name that a photo came with may name somebody. */
const fileOf = ({ number, attachment_id, content_type }: PersonCopyPhoto): string =>
  `photos/${number}-${attachment_id}.${ENDINGS[content_type] ?? 'bin'}`;

/** Streams the zip. The body fails with an AbortError when cancelled. */
export const personCopyZip = (
  deps: Pick<Deps, 'host'>,
  copy: PersonCopy,
  how: CopyHow,
): Response => {
  const { signal, onProgress, with_photos } = how;
  const wanted = with_photos ? copy.photos.filter(({ own }) => own) : [];
  const parts = (async function* () {
    const files = new Map<number, string>();
    let missing = 0;
    const report = () => onProgress({ photos: files.size, of: wanted.length, missing });
    report();
    for (const photo of wanted) {
      const { project_id, near_miss_id, attachment_id } = photo;
      const place = { project_id, near_miss_id, attachment_id, variant: 'full' as const };
      const whole = await fetchWhole(deps, place, { signal });
      signal.throwIfAborted();
      if (whole.ok) {
        files.set(attachment_id, fileOf(photo));
        yield { name: fileOf(photo), input: whole.value };
      } else missing += 1;
      report();
    }
    // Last, because it says which photos are inside.
    yield { name: 'index.html', input: personCopyPage(copy, { ...how, files }) };
    yield { name: 'data.json', input: `${JSON.stringify(copy, null, 2)}\n` };
  })();
  return downloadZip(parts);
};
