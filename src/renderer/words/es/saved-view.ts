/** The dialog that saves what the list shows under a name. */
import type { Words } from '../shape.ts';
import { f } from './say.ts';

export const saved_view: Words['saved_view'] = {
  name: 'Nombre de la vista',
  about: 'Aparece en la barra, debajo de Casi accidentes, en esta laptop.',
  replaces: 'Ya hay una vista con este nombre. Al guardar, queda lo que muestra la lista ahora.',
  no_name: 'Póngale un nombre a la vista.',
  too_many: (n) => `Ya hay ${f.number(n)} vistas. Quite una primero.`,
  saved: (name) => `Vista ${name} guardada.`,
};
