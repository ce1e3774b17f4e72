/** Comments on a near miss. */
import type { Words } from '../shape.ts';
import { count, f } from './say.ts';

export const comments: Words['comments'] = {
  title: 'Comentarios',
  none: 'Todavía no hay comentarios.',
  earlier: (n) =>
    count(n, {
      one: '# comentario anterior está solo en el servidor.',
      other: '# comentarios anteriores están solo en el servidor.',
    }),
  as_of: (at) => `Al ${f.moment(at)}. Spotter lee los comentarios nuevos cuando hay conexión.`,
  write: 'Escribir un comentario',
  write_hint: 'Lo puede leer quien ve este reporte. Ctrl+Enter lo envía.',
  send: 'Enviar comentario',
  room: (n) => count(n, { one: 'Queda # carácter', other: 'Quedan # caracteres' }),
  too_long: (n) =>
    `${count(n, { one: 'Sobra # carácter', other: 'Sobran # caracteres' })}. Acorte el comentario para enviarlo.`,
  waiting: 'Espera a enviarse',
  parked: 'No se envió. Vea “Pendientes”.',
  written: 'Comentario guardado.',
  take_back: 'Retirar',
  taken_back: 'Comentario retirado.',
  remove: (who, at) => `Quitar el comentario de ${who}, ${at}`,
  remove_title: '¿Quitar este comentario?',
  remove_text:
    'El texto se borra para todos y no se puede recuperar. Queda quién lo escribió y quién lo quitó.',
  remove_go: 'Quitar comentario',
  removed_by: (who) => `Quitado por ${who}`,
};
