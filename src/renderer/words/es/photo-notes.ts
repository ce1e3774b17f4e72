/** Captions, order, and before/after marks of photos. */
import type { Words } from '../shape.ts';
import { f } from './say.ts';

export const photo_notes: Words['photo_notes'] = {
  caption: 'Pie de foto',
  add: 'Agregar descripción',
  caption_of: (name) => `Pie de foto de ${name}`,
  earlier: (name) => `Mover ${name} hacia adelante`,
  later: (name) => `Mover ${name} hacia atrás`,
  moved: (name, at, of) => `${name} es ahora la foto ${f.number(at)} de ${f.number(of)}`,
  open: 'Pies de foto y orden',
  title: 'Pies de foto y orden',
  text: 'Marque una foto como antes y otra como después para verlas lado a lado.',
  side: (name) => `Antes o después: ${name}`,
  neither: 'Ninguno',
  sides: { before: 'Antes', after: 'Después' },
  written: { before: 'antes', after: 'después' },
  sided: (side, name) => `${side}: ${name}`,
  pair: 'Antes y después',
  save: 'Guardar',
  saved: 'Pies de foto y orden guardados.',
  too_long: 'Estos pies de foto juntos son demasiado largos. Acorte algunos.',
  loose: 'También anotado con las fotos',
};
