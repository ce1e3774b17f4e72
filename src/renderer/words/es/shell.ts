/** The project switcher, the finder and the help. */
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
  never: 'Los demás proyectos aparecerán cuando responda el servidor.',
  other: 'Otro proyecto o servidor…',
};

export const finder: Words['finder'] = {
  title: 'Buscar',
  label: 'Casi accidente, pantalla o acción',
  open: (keys) => `Buscar en todo (${keys})`,
  deeds: 'Acciones',
  screens: 'Pantallas',
  send_now: 'Enviar ahora lo pendiente',
  connect: 'Cambiar la conexión',
  go_to: (project) => `Ir a ${project}`,
  looking: 'Buscando casi accidentes…',
  in_list: (text) => `Ver “${text}” en la lista`,
  in_list_last_week: (text) => `Ver “${text}” de la semana pasada en la lista`,
};

export const keys: Words['keys'] = {
  title: 'Ayuda y teclas',
  help: 'Ayuda',
  names: {
    Space: 'Espacio',
    'Page Up': 'Re Pág',
    'Page Down': 'Av Pág',
    Home: 'Inicio',
    End: 'Fin',
    Delete: 'Supr',
    Shift: 'Mayús',
  },
};
