/** What the frame offers beside the screens: changing the project, finding anything, the keys. */
import type { Words } from '../shape.ts';
import { count } from './say.ts';

export const sites: Words['sites'] = {
  open: (project, company) => `${project}, ${company}. Cambiar de proyecto`,
  title: 'Proyectos',
  waiting: (n) => count(n, { one: '# pendiente', other: '# pendientes' }),
  changed: (name) => `Ahora está en ${name}.`,
  refused: (name) => `Ya no tiene acceso a ese proyecto. Está de nuevo en ${name}.`,
  not_listed: 'Este servidor no muestra la lista de sus proyectos.',
  old: (when) => `Esta lista es del ${when}. No se pudo actualizar.`,
  never: 'Aún no se conocen los demás proyectos. Aparecerán cuando responda el servidor.',
  other: 'Otro proyecto o servidor…',
};
