/** The gallery of all photos of the project. */
import type { Words } from '../shape.ts';
import { bytes, count, f, photos } from './say.ts';

export const gallery: Words['gallery'] = {
  filter: 'Qué fotos',
  all: (n) => `Todas ${f.number(n)}`,
  waiting: (n) => `Pendientes ${f.number(n)}`,
  delivered: (n) => `Entregadas ${f.number(n)}`,
  shown: (n) => count(n, { one: '# foto a la vista', other: '# fotos a la vista' }),
  photos,
  offline: 'Sin conexión. Solo las fotos de esta laptop se abren en tamaño completo.',
  empty: 'Todavía no hay fotos',
  empty_text: 'Aquí verá las fotos de los casi accidentes, también las que aún no se envían.',
  none: 'Nada coincide',
  none_text: 'Ninguna foto de este proyecto coincide.',
  open: (name, title, word) => `${name}, ${title}. ${word}`,
  record: 'Abrir el casi accidente',
  size: (n) => bytes(n),
  taken: (at) => `tomada ${f.moment(at)}`,
  is_waiting: 'Pendiente, a salvo en esta laptop',
  is_delivered: 'Entregada y comprobada',
  on_server: 'En el servidor',
};
