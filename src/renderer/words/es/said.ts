/** "You said, we did": the screen around the sheet for the wall. */
import type { Words } from '../shape.ts';
import { places } from './places.ts';
import { count } from './say.ts';

export const said: Words['said'] = {
  title: places.said,
  choose: 'Qué semana, idioma y papel',
  language: 'Idioma de la hoja',
  paper: 'Papel',
  counted: (n) => count(n, { one: '# respuesta en la hoja', other: '# respuestas en la hoja' }),
  read_first:
    'Los nombres conocidos se quitan. Lea los textos y mire las fotos antes de colgar la hoja.',
  missing: (n) =>
    count(n, { one: 'No se pudo cargar # foto.', other: 'No se pudieron cargar # fotos.' }),
  empty: 'Todavía no hay respuestas esta semana',
  empty_text: 'Escriba en un reporte qué se hizo, y aquí todos lo podrán leer.',
  none_possible:
    'Los formularios de este proyecto no tienen campos para una respuesta. Un administrador agrega dos campos de texto: Visto y Qué hicimos.',
  unanswered: 'Mostrar los reportes sin respuesta',
};
