/** The text editor. */
import type { Words } from '../shape.ts';

export const editor: Words['editor'] = {
  toolbar: 'Formatowanie',
  start: 'Formatuj tekst',
  bold: 'Pogrubienie',
  italic: 'Kursywa',
  underline: 'Podkreślenie',
  strike: 'Przekreślenie',
  bullets: 'Lista',
  numbers: 'Lista numerowana',
  heading: 'Nagłówek',
  quote: 'Cytat',
  undo: 'Cofnij',
  redo: 'Ponów',
  link: 'Odnośnik',
  link_address: 'Adres odnośnika',
  link_set: 'Wstaw odnośnik',
  link_remove: 'Usuń odnośnik',
  link_bad: 'Odnośnik zaczyna się od https://, http://, mailto: lub tel:.',
  loading: 'Otwieranie edytora…',
  failed: 'Nie udało się otworzyć edytora. Tekst jest bezpieczny. Anuluj i spróbuj ponownie.',
};
