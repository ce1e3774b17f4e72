/** Archivos y carpetas que ve quien abre un zip. */
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
