/** The week on a page: on screen, on paper and in Excel. */
import type { Words } from '../shape.ts';
import { count, f } from './say.ts';
import { places } from './places.ts';

export const week: Words['week'] = {
  title: places.week,
  choose: 'Qué semana',
  days: (from, to) => `Del ${f.day_month(from)} al ${f.day(to)}`,
  previous: 'Semana anterior',
  next: 'Semana siguiente',
  excel: 'Excel',
  saved: 'El libro de Excel está en sus descargas.',
  failed: 'No se pudo guardar el libro de Excel. En esta laptop no cambió nada.',
  reported: 'Casi accidentes reportados',
  before: (n) => `Semana anterior: ${f.number(n)}`,
  by_day: 'Día por día',
  this_week: 'Esta semana',
  week_before: 'Anterior',
  places: 'Dónde',
  sources: 'Fuente de daño',
  activities: 'Actividad',
  worst: 'Los más graves',
  more: (n) =>
    count(n, {
      one: 'En la lista hay # casi accidente más.',
      other: 'En la lista hay # casi accidentes más.',
    }),
  nothing: 'Sin registrar.',
  none: 'Esta semana no se reportó ningún casi accidente.',
  figure: 'Contado por',
  name: 'Nombre',
  file: 'semana',
};
