/** Names of files and folders inside an exported zip: letters and dashes only. Loaded with an export (files.ts). */
import type { files as english } from '../en/files.ts';

export const files: typeof english = {
  waiting: 'spotter-w-kolejce',
  everything: 'spotter-wszystko',
  data: 'spotter-dane',
  photos: 'zdjecia',
  drafts: 'szkice',
  captions: 'podpisy',
  missing: 'brakujace-zdjecia',
};
