/** The export of near misses, while it runs and in its files. */
import type { Words } from '../shape.ts';
import { count, f } from './say.ts';

const near_misses = (n: number): string =>
  count(n, { one: '# casi accidente', other: '# casi accidentes' });

export const exporting: Words['exporting'] = {
  csv_title: 'Guardando la tabla',
  zip_title: 'Guardando casi accidentes con sus fotos',
  records: (done, of) => `${f.number(done)} de ${near_misses(of)}`,
  photos: (n) => count(n, { one: '# foto hasta ahora', other: '# fotos hasta ahora' }),
  missing: (n) =>
    count(n, {
      one: 'Falta # foto porque el servidor no respondió. El archivo dice cuál.',
      other: 'Faltan # fotos porque el servidor no respondió. El archivo dice cuáles.',
    }),
  cancel: 'Detener',
  stopped: 'Detenido. No se guardó nada.',
  saved: (n, file) => `${near_misses(n)}: ${file}, en sus descargas.`,
  failed: 'No se pudo guardar el archivo. En esta laptop no cambió nada.',
  heads: {
    number: 'Número',
    incident: 'Trabajo o zona',
    reported: 'Reportado',
    reported_by: 'Reportado por',
    photos: 'Fotos',
    id: 'Referencia del servidor',
  },
  csv_name: 'casi-accidentes',
  zip_name: 'casi-accidentes-con-fotos',
  figures_name: 'panorama',
};
