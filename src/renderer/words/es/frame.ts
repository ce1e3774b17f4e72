/** The frame: rail, header, status line, and the words for states. */
import type { Words } from '../shape.ts';
import { count, f, items } from './say.ts';

export const dates: Words['dates'] = {
  hint: '20 nov 2026',
  hint_time: '20 nov 2026, 14:32',
  open: (label) => `Elegir un día: ${label}`,
  previous: 'Mes anterior',
  next: 'Mes siguiente',
  today: 'Hoy',
  unreadable: 'Escriba una fecha como 20/11/2026.',
  unreadable_time: 'Escriba fecha y hora, como 20/11/2026 14:32.',
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
  unfinished: (n) => `${f.number(n)} sin terminar`,
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
  queued: { online: 'Enviando ahora.', offline: 'Se enviará cuando haya conexión.' },
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
      one: '# casi accidente pendiente se pasó aquí desde la otra ventana de Spotter.',
      other: '# casi accidentes pendientes se pasaron aquí desde la otra ventana de Spotter.',
    }),
  port_taken: (port) =>
    `Otro programa usa el puerto ${port}, así que Spotter se abrió en otro. Sus borradores y reportes pendientes están todos aquí.`,
  /** Photos that were being read when Spotter ended. */
  lost_photos: {
    title: (n: number) =>
      count(n, {
        one: '# foto no se guardó antes de que Spotter se cerrara.',
        other: '# fotos no se guardaron antes de que Spotter se cerrara.',
      }),
    more: (names: string, n: number) => `${names} y ${f.number(n)} más`,
    todo: (n: number) =>
      n === 1
        ? 'No está en su reporte. Abra el borrador y vuelva a elegirla.'
        : 'No están en su reporte. Abra el borrador y vuelva a elegirlas.',
    open: 'Abrir el borrador',
    read: 'Aceptar',
  },
  unreadable: {
    title: (n) =>
      count(n, {
        one: 'No se pudo leer # elemento guardado en esta laptop.',
        other: 'No se pudieron leer # elementos guardados en esta laptop.',
      }),
    text: 'Puede ser un reporte o un cambio que no se entregó. Revise sus últimos reportes en la lista. Puede guardar lo que queda para su oficina.',
    save: 'Guardar lo que queda',
    dismiss: 'Ya lo revisé',
    file: 'spotter-ilegible.txt',
  },
  set_apart: (n) =>
    count(n, {
      one: '# elemento no se puede leer. Lo encuentra en Pendientes.',
      other: '# elementos no se pueden leer. Los encuentra en Pendientes.',
    }),
  link_refused: 'Spotter no abre este enlace. Podría llevar a esta computadora o a su propia red.',
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
    newer: 'Una versión más nueva de Spotter guardó los datos de esta laptop.',
    newer_todo:
      'No se cambió nada. Abra la versión más nueva. También puede guardar una copia de sus reportes pendientes y sus fotos.',
    newer_save: 'Guardar una copia',
    newer_saved: 'La copia está en sus descargas.',
    closed: 'Spotter perdió el acceso a sus datos y no puede guardar nada por ahora.',
    closed_text:
      'Tal vez el disco está lleno. Lo que guardó antes está a salvo. Copie lo que está escribiendo, libere espacio y abra Spotter de nuevo.',
    closed_open: 'Abrir de nuevo',
  },
};

export const pill: Words['pill'] = {
  safe: ', a salvo en esta laptop',
  local: 'Guardado en esta laptop',
  local_but: (what) => `Guardado en esta laptop · ${what}`,
  short_local: 'Guardado',
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
      ? `${f.number(n)} por atender · ${count(total, { one: '# pendiente', other: '# pendientes' })}`
      : `${f.number(n)} por atender`,
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
