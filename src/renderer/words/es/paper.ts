/** Printed pages: one near miss, a toolbox pack, the list. */
import type { Words } from '../shape.ts';
import { count, f } from './say.ts';

export const paper: Words['paper'] = {
  report: 'Reporte de casi accidente',
  what: 'Qué pasó',
  action: 'Acción inmediata',
  facts: 'Detalles',
  video: (name) => `Video: ${name}`,
  missing: (n) =>
    count(n, {
      one: '# foto no se pudo cargar y no sale aquí.',
      other: '# fotos no se pudieron cargar y no salen aquí.',
    }),
  more: (n) => count(n, { one: '# foto más no se imprime.', other: '# fotos más no se imprimen.' }),
  with_names: 'Imprimir con nombres',
  pdf_with_names: 'Guardar como PDF con nombres',
  preparing: 'Preparando las páginas',
  step: (done, of) =>
    count(of, { one: `${f.number(done)} de # página`, other: `${f.number(done)} de # páginas` }),
  stop: 'Detener',
  failed: 'No se pudieron preparar las páginas. No se imprimió nada.',
  nothing: 'No hay nada que imprimir.',
  toolbox: 'Charla de seguridad',
  toolbox_pdf: 'Charla de seguridad en PDF',
  print_report: 'Imprimir el reporte',
  print_or_pdf: 'Imprimir o guardar como PDF',
  save_pdf: 'Guardar como PDF',
  counted: (n) => count(n, { one: '# casi accidente', other: '# casi accidentes' }),
  list_cut: (shown, of) =>
    `Los primeros ${f.number(shown)} de ${f.number(of)}. Filtre la lista o expórtela para tenerlos todos.`,
  talk: 'Charla de seguridad',
  somebody: '[nombre]',
  too_many: (n) =>
    `Una charla de seguridad tiene como máximo ${f.number(n)} páginas. Seleccione menos casi accidentes.`,
  read_first:
    'Los nombres conocidos no salen. Antes de repartir las páginas, revise que no haya otros.',
  questions: [
    '¿Qué pudo haber pasado?',
    '¿Podría pasar aquí, en nuestra obra?',
    '¿Qué haremos distinto a partir de hoy?',
  ],
  held_by: 'A cargo de',
  date: 'Fecha',
  attendance: 'Participantes',
  name: 'Nombre',
  signature: 'Firma',
};
