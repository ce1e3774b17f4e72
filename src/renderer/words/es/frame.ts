/** The frame: rail, header, the status line at the top right, the words for a state. */
import type { Words } from '../shape.ts';
import { count, f, items } from './say.ts';

export const dates: Words['dates'] = {
  hint: '20 nov 2026',
  hint_time: '20 nov 2026, 14:32',
  open: (label) => `Elegir un día: ${label}`,
  previous: 'Mes anterior',
  next: 'Mes siguiente',
  today: 'Hoy',
  unreadable: 'Escriba el día así: 20/11/2026 o 20 nov 2026.',
  unreadable_time: 'Escriba día y hora así: 20/11/2026 14:32.',
};

export const app: Words['app'] = {
  name: 'Spotter',
  rail: 'Principal',
  skip: 'Ir al contenido',
  new_near_miss: 'Nuevo reporte',
  near_misses: 'Casi accidentes',
  company: 'Empresa',
  waiting: 'Pendientes',
  waiting_count: (n) => `Pendientes, ${items(n)}`,
  recycle_bin: 'Papelera',
  settings: 'Ajustes',
  search: 'Buscar casi accidentes',
  clear_search: 'Borrar la búsqueda',
  this_laptop: 'Esta laptop',
  sample_data: 'Datos de ejemplo',
  project_number: (id) => `Proyecto ${id}`,
  company_number: (id) => `Empresa ${id}`,
  unnamed: (id) => `N.º ${id}`,
  no_project: 'Ningún proyecto elegido',
  sample: {
    title: 'Datos de ejemplo.',
    text: 'Estos casi accidentes son inventados. Se quedan en esta laptop.',
    start: 'Empezar de verdad',
  },
  notices: 'Avisos',
  close: 'Cerrar',
  cancel: 'Cancelar',
  undo: 'Deshacer',
  try_again: 'Reintentar',
  optional: 'opcional',
  starting: 'Abriendo Spotter…',
  more: 'Más',
  brought_back: (n) =>
    count(n, {
      one: 'Se recuperó del respaldo # casi accidente pendiente.',
      other: 'Se recuperaron del respaldo # casi accidentes pendientes.',
    }),
  came_back:
    'Hubo que abrir de nuevo la ventana de Spotter. Lo que guardó está a salvo, y lo que estaba escribiendo quedó como borrador.',
  came_along: (n) =>
    count(n, {
      one: '# casi accidente pendiente se trajo de la otra ventana de Spotter en esta laptop.',
      other:
        '# casi accidentes pendientes se trajeron de la otra ventana de Spotter en esta laptop.',
    }),
  port_taken: (port) =>
    `Otro programa usa el puerto ${port}, así que Spotter se abrió en otro. Sus borradores y reportes pendientes están todos aquí.`,
  set_apart: (n) =>
    count(n, {
      one: '# elemento no se puede leer. Se conserva en Pendientes.',
      other: '# elementos no se pueden leer. Se conservan en Pendientes.',
    }),
  link_refused:
    'Spotter no abre este enlace: lleva a esta computadora, a su propia red o a ninguna parte.',
  link_not_opened: 'Ningún programa de esta laptop puede abrir este enlace.',
  cannot_open: 'Spotter no pudo abrir sus datos en esta laptop.',
  cannot_open_todo:
    'No se borró nada. Cierre Spotter y ábralo de nuevo. También hay un respaldo de lo que guardó.',
  disk: {
    low: (left) => `El disco está casi lleno: quedan ${f.bytes(left)}.`,
    text: 'Los reportes todavía se guardan. Libere espacio, o tal vez no quepan las fotos.',
  },
  store: {
    full: 'El disco está lleno y Spotter no puede abrir sus datos.',
    full_todo: 'Lo que guardó está a salvo. Libere espacio y reintente.',
    newer: 'Los datos de esta laptop son de una versión más nueva de Spotter.',
    newer_todo:
      'No se cambió nada. Abra de nuevo la versión más nueva. Puede guardar una copia de sus reportes pendientes y sus fotos.',
    newer_save: 'Guardar una copia',
    newer_saved: 'La copia está en sus descargas.',
    closed: 'Spotter perdió el acceso a sus datos. Por ahora no se puede guardar nada.',
    closed_text:
      'Tal vez el disco está lleno. Lo que guardó antes está a salvo. Copie lo que está escribiendo, libere espacio y abra Spotter de nuevo.',
    closed_open: 'Abrir de nuevo',
  },
};

export const pill: Words['pill'] = {
  safe: ', a salvo en esta laptop',
  online_all: 'En línea · todo entregado',
  online_waiting: (n) =>
    count(n, { one: 'En línea · # pendiente', other: 'En línea · # pendientes' }),
  online_but: (what) => `En línea · ${what}`,
  offline_but: (what) => `Sin conexión · ${what}`,
  elsewhere: (n, name) => `${count(n, { one: '# pendiente', other: '# pendientes' })} para ${name}`,
  elsewheres: (n, connections) =>
    `${count(n, { one: '# pendiente', other: '# pendientes' })} para otras ${f.number(connections)} conexiones`,
  online_sending: (n, total) =>
    total > n
      ? `En línea · enviando ${f.number(n)} de ${f.number(total)}`
      : `En línea · enviando ${f.number(n)}`,
  offline_none: 'Sin conexión · nada pendiente',
  offline: (n) =>
    count(n, {
      one: 'Sin conexión · # pendiente',
      other: 'Sin conexión · # pendientes',
    }),
  server: (n) =>
    n === 0
      ? 'Problema del servidor'
      : count(n, {
          one: 'Problema del servidor · # pendiente',
          other: 'Problema del servidor · # pendientes',
        }),
  portal: (n) =>
    n === 0
      ? 'El Wi-Fi pide iniciar sesión'
      : count(n, {
          one: 'El Wi-Fi pide iniciar sesión · # pendiente',
          other: 'El Wi-Fi pide iniciar sesión · # pendientes',
        }),
  sign_in_none: 'Inicie sesión de nuevo',
  sign_in: (n) =>
    count(n, {
      one: 'Inicie sesión para enviar · # pendiente',
      other: 'Inicie sesión para enviar · # pendientes',
    }),
  locked: (n) =>
    n === 0
      ? 'Llavero bloqueado'
      : count(n, {
          one: 'Llavero bloqueado · # pendiente',
          other: 'Llavero bloqueado · # pendientes',
        }),
  checking: (n) =>
    n === 0
      ? 'Comprobando la conexión…'
      : count(n, { one: 'Comprobando · # pendiente', other: 'Comprobando · # pendientes' }),
  needs_you: (n, total) =>
    total > n
      ? `Por atender: ${f.number(n)} de ${f.number(total)} pendientes`
      : `Por atender: ${f.number(n)}`,
  busy: (n) =>
    n === 0
      ? 'Servidor ocupado'
      : count(n, {
          one: 'Servidor ocupado · # pendiente',
          other: 'Servidor ocupado · # pendientes',
        }),
  disk: (n) =>
    n === 0
      ? 'Disco lleno'
      : count(n, { one: 'Disco lleno · # pendiente', other: 'Disco lleno · # pendientes' }),
  short_checking: 'Comprobando',
  short_online: 'En línea',
  short_offline: (n) => (n === 0 ? 'Sin conexión' : `Sin conexión · ${f.number(n)}`),
  short_server: 'Falla del servidor',
  short_portal: 'Sesión del Wi-Fi',
  short_sign_in: (n) => (n === 0 ? 'Iniciar sesión' : `Iniciar sesión · ${f.number(n)}`),
  short_waiting: (n) => count(n, { one: '# pendiente', other: '# pendientes' }),
  short_needs_you: (n) => `Por atender · ${f.number(n)}`,
};

export const state: Words['state'] = {
  draft: 'Borrador',
  waiting: 'Pendiente',
  sending: 'Enviando',
  needs_you: 'Por atender',
  set_aside: 'En pausa',
  delivered: 'Entregado',
  checked: 'Entregado',
};
