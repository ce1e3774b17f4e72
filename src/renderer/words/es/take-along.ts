/** The menu that exports near misses. */
import type { Words } from '../shape.ts';

export const take_along: Words['take_along'] = {
  menu: 'Exportar',
  xlsx: 'Excel (.xlsx)',
  xlsx_last_month: 'El mes pasado a Excel',
  none_last_month: 'El mes pasado no se reportó ningún casi accidente.',
  csv: 'Tabla (CSV)',
  zip: 'Con fotos (zip)',
};
