/** The menu that exports near misses. */
import type { Words } from '../shape.ts';

export const take_along: Words['take_along'] = {
  menu: 'Eksport',
  xlsx: 'Excel (.xlsx)',
  xlsx_last_month: 'Zeszły miesiąc do Excela',
  none_last_month: 'W zeszłym miesiącu nie zgłoszono żadnego zdarzenia.',
  csv: 'Tabela (CSV)',
  zip: 'Ze zdjęciami (zip)',
};
