/** Names of files and folders inside an exported zip: letters and dashes only. Loaded with an export (files.ts). */
import type { files as english } from '../en/files.ts';

export const files: typeof english = {
  waiting: 'spotter-pendientes',
  everything: 'spotter-todo',
  data: 'spotter-datos',
  photos: 'fotos',
  drafts: 'borradores',
  captions: 'pies-de-foto',
  missing: 'fotos-no-incluidas',
};
