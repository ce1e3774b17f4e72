/** All photos of the project. */
import type { Words } from '../shape.ts';
import { bytes, count, f, photos } from './say.ts';

export const gallery: Words['gallery'] = {
  title: 'Fotos',
  filter: 'Qué fotos',
  all: (n) => `Todas ${f.number(n)}`,
  waiting: (n) => `En espera ${f.number(n)}`,
  delivered: (n) => `Entregadas ${f.number(n)}`,
  shown: (n) => count(n, { one: '# foto a la vista', other: '# fotos a la vista' }),
  photos,
  offline:
    'Sin conexión: las fotos guardadas en esta laptop se abren completas; las demás necesitan conexión.',
  empty: 'Todavía no hay fotos',
  empty_text: 'Aquí se ven las fotos de los casi accidentes, también las que siguen en espera.',
  none: 'Ninguna foto coincide',
  none_text: 'Ninguna foto de este proyecto está en este estado.',
  open: (name, title, word) => `${name}, ${title}. ${word}`,
  record: 'Abrir el casi accidente',
  size: (n) => bytes(n),
  taken: (at) => `tomada ${f.moment(at)}`,
  is_waiting: 'En espera en esta laptop',
  is_delivered: 'Entregada y comprobada',
  on_server: 'En el servidor',
};
