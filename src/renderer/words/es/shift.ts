/** The summary for the start of a shift. */
import type { Words } from '../shape.ts';
import { count } from './say.ts';

export const shift: Words['shift'] = {
  title: 'Desde ayer',
  fresh: (n) => count(n, { one: 'casi accidente nuevo', other: 'casi accidentes nuevos' }),
  due: (n) =>
    count(n, { one: 'seguimiento para hoy o antes', other: 'seguimientos para hoy o antes' }),
  answered: (n) =>
    count(n, {
      one: 'de sus reportes recibió respuesta',
      other: 'de sus reportes recibieron respuesta',
    }),
  commented: (n) =>
    count(n, {
      one: 'comentario nuevo en sus reportes y seguimientos',
      other: 'comentarios nuevos en sus reportes y seguimientos',
    }),
  unanswered: (oldest) => `sin respuesta, el más antiguo ${oldest}`,
  dues: 'Seguimientos pendientes',
  nothing: 'Nada nuevo. Elija un casi accidente para verlo aquí.',
  put_away: 'Ocultar hasta mañana',
};
