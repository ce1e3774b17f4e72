/** What the near misses add up to: charts, their tables, how they are taken along. */
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
  from_laptop: (n) => `Contado en esta laptop a partir de ${near_misses(n)}.`,
  since: (n, from) =>
    `Contado en esta laptop a partir de ${near_misses(n)} reportados desde el ${f.day(from)}.`,
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
    'Cuánto pasó hasta que el reporte llegó al servidor. Si sigue pendiente: hasta que se guardó.',
  delay_median: (n) =>
    count(n, { one: 'mediana de # casi accidente', other: 'mediana de # casi accidentes' }),
  delay_none: 'Ningún casi accidente de estas semanas dice cuándo pasó.',
  delays: ['En 10 minutos', 'En una hora', 'En un día', 'Después'],
  delay_not_recorded: (n) =>
    count(n, { one: '# no dice cuándo pasó.', other: '# no dicen cuándo pasaron.' }),
  delay_after: (n) =>
    count(n, {
      one: '# dice una hora posterior a su reporte y queda fuera.',
      other: '# dicen una hora posterior a su reporte y quedan fuera.',
    }),
  column_delay: 'Reportado',
  failed: 'No se pudieron contar los casi accidentes',
  failed_text: 'No se perdió nada. Todos están en la lista. Reintente, o reinicie Spotter.',
  csv_saved: 'La tabla se guardó.',
};
