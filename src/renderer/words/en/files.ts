/** Names of files and folders inside an exported zip: letters and dashes only. Loaded with an export (files.ts). */
export const files = {
  waiting: 'spotter-waiting',
  everything: 'spotter-everything',
  data: 'spotter-data',
  photos: 'photos',
  drafts: 'drafts',
  captions: 'captions',
  missing: 'photos-not-included',
};
