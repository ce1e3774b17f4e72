/** Statistics: charts, their tables, and their export. */
import type { Words } from '../shape.ts';
import { places } from './places.ts';
import { count, f } from './say.ts';

const near_misses = (n: number): string =>
  count(n, { one: '# casi accidente', other: '# casi accidentes' });

export const insights: Words['insights'] = {
  title: places.insights,
  range: 'Qué semanas',
  ranges: {
    weeks_4: '4 semanas',
    weeks_12: '12 semanas',
    year: 'Un año',
    all: 'Todo',
  },
  show: 'Mostrar como',
  charts: 'Gráficas',
  tables: 'Tablas',
  export: 'Exportar',
  export_figures: 'Estas cifras (CSV)',
  export_xlsx: 'Estos casi accidentes (Excel)',
  export_records: 'Estos casi accidentes (CSV)',
  export_photos: 'Estos casi accidentes con fotos (zip)',
  counting: (done, total) => `Contando ${f.number(done)} de ${f.number(total)}…`,
  starting: 'Contando…',
  from_laptop: (n) => `${near_misses(n)}.`,
  since: (n, from) => `${near_misses(n)} desde el ${f.day(from)}.`,
  empty: 'Todavía no hay nada que contar',
  empty_text: 'Las gráficas aparecen aquí en cuanto haya casi accidentes.',
  empty_range: 'Ningún casi accidente en estas semanas',
  empty_range_text: 'Elija un periodo más largo para ver los anteriores.',
  show_all: 'Mostrar todo',
  not_recorded: 'Sin registrar',
  share: (n, of) => f.percent(of === 0 ? 0 : n / of),
  bar: (name, n, of) => `${name}: ${near_misses(n)}, ${f.percent(of === 0 ? 0 : n / of)}`,
  open_list: (name) => `${name}. Verlos en la lista`,
  column_figure: 'Contado por',
  column_of: 'Nombre',
  column_with: 'Junto con',
  column_count: 'Casi accidentes',
  column_share: 'Porcentaje',
  per_week: 'Casi accidentes reportados por semana',
  per_week_help: 'Use las flechas para ir de semana en semana y Enter para abrir la lista.',
  week: (start) => `Semana del ${f.day(start)}`,
  week_said: (start, n) => `Semana del ${f.day(start)}: ${near_misses(n)}`,
  column_week: 'Semana del',
  running: 'La semana rayada no ha terminado.',
  per_week_average: (n) => `${f.number(Math.round(n * 10) / 10)} por semana en promedio`,
  heat: 'Fuente de daño por actividad',
  heat_cell: (harm, activity, n) => `${harm}, ${activity}: ${near_misses(n)}`,
  heat_more: (n) =>
    count(n, {
      one: 'Solo se muestran los más frecuentes. Queda fuera # más.',
      other: 'Solo se muestran los más frecuentes. Quedan fuera # más.',
    }),
  heat_all: 'Mostrar todas las fuentes de daño y actividades',
  by: {
    harm_source: 'Fuente de daño',
    work_activity: 'Actividad',
    affected_company: 'Empresa afectada',
    managed_equipment: 'Equipo',
  },
  no_severity: 'Este servidor no registra la gravedad potencial.',
  worst_of: (n) => `de ${near_misses(n)}`,
  delay: 'Del hecho al reporte',
  delay_note:
    'Desde el hecho hasta que llegó el reporte, o hasta que se guardó si sigue pendiente.',
  delay_median: (n) =>
    count(n, { one: 'mediana de # casi accidente', other: 'mediana de # casi accidentes' }),
  delay_none: 'Ningún reporte de estas semanas dice cuándo pasó.',
  delays: ['En 10 minutos', 'En una hora', 'En un día', 'Después'],
  delay_not_recorded: (n) =>
    count(n, { one: '# reporte no dice cuándo pasó.', other: '# reportes no dicen cuándo pasó.' }),
  delay_after: (n) =>
    count(n, {
      one: '# reporte queda fuera porque la hora del hecho es posterior al reporte.',
      other: '# reportes quedan fuera porque la hora del hecho es posterior al reporte.',
    }),
  column_delay: 'Reportado',
  answer: 'Del reporte a la respuesta',
  answer_none: 'Nadie ha respondido a un reporte de estas semanas.',
  answer_missing: (n) => count(n, { one: '# sin respuesta', other: '# sin respuesta' }),
  failed: 'No se pudieron contar los casi accidentes',
  failed_text: 'No se perdió nada. Todos están en la lista. Reintente, o reinicie Spotter.',
  csv_saved: 'La tabla está en sus descargas.',
};
