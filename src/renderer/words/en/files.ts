/** Files and folders that somebody sees who opens a zip: in letters and dashes alone. Read when one is made (files.ts). */
export const files = {
  waiting: 'spotter-waiting',
  everything: 'spotter-everything',
  data: 'spotter-data',
  photos: 'photos',
  drafts: 'drafts',
  captions: 'captions',
  missing: 'photos-not-included',
};
