/** A near miss's history, its export and its printing, and the text editor. */
import type { Words } from '../shape.ts';
import { count, f } from './say.ts';

export const history: Words['history'] = {
  title: 'En esta laptop',
  note: 'Cambios hechos en esta laptop.',
  more: (n) => count(n, { one: 'Mostrar # paso más', other: 'Mostrar # pasos más' }),
  less: 'Mostrar menos',
  earlier: 'Los pasos anteriores no se guardaron en esta laptop.',
  at: (at) => f.moment(at),
  change: (name, before, after) => `${name}: ${before} → ${after}`,
  nothing: 'vacío',
  changed: 'Editado antes de enviarse',
  queued: {
    'near_miss.create': 'Guardado en esta laptop',
    'near_miss.update': 'Editado',
    'near_miss.delete': 'Movido a la papelera',
    'near_miss.restore': 'Restaurado de la papelera',
    'photo.send': (name) => `Foto ${name} agregada`,
    'photo.remove': 'Foto quitada',
    other: 'Editado',
  },
  dropped: {
    'near_miss.create': 'Cancelado antes de enviarse',
    'near_miss.update': 'Edición cancelada antes de enviarse',
    'near_miss.delete': 'Eliminación cancelada',
    'near_miss.restore': 'Restauración cancelada',
    'photo.send': 'Foto quitada antes de enviarse',
    'photo.remove': 'Se canceló quitar la foto',
    other: 'Cancelado antes de enviarse',
  },
  delivered: {
    'near_miss.create': 'Entregado al servidor',
    'near_miss.update': 'Cambios entregados al servidor',
    'near_miss.delete': 'En la papelera del servidor',
    'near_miss.restore': 'Restaurado en el servidor',
    'photo.send': (name) => `Foto ${name} entregada`,
    'photo.remove': 'Foto quitada en el servidor',
    other: 'Entregado al servidor',
  },
  photos_added: (n) => count(n, { one: '# foto agregada', other: '# fotos agregadas' }),
  photos_delivered: (n) => count(n, { one: '# foto entregada', other: '# fotos entregadas' }),
  all: 'Historial',
  as_of: (at) => `Al ${f.moment(at)}`,
  by: {
    created: (who) => `Reportado por ${who}`,
    updated: (who) => `Editado por ${who}`,
    recycled: (who) => `Movido a la papelera por ${who}`,
    restored: (who) => `Restaurado de la papelera por ${who}`,
    redacted: (who) => `${who} suprimió una entrada`,
  },
  content_redacted: 'Lo que cambió se suprimió',
  photo_added: (name) => `Foto ${name} agregada`,
  photo_removed: (name) => `Foto ${name} quitada`,
  rebuilt: 'Recuperado del respaldo de esta laptop. Los pasos anteriores se perdieron',
};

export const printing: Words['printing'] = {
  print: 'Imprimir',
  printed: (at) => `Impreso: ${f.moment(at)}`,
};

export const editor: Words['editor'] = {
  toolbar: 'Formato',
  start: 'Dar formato al texto',
  bold: 'Negrita',
  italic: 'Cursiva',
  underline: 'Subrayado',
  strike: 'Tachado',
  bullets: 'Lista',
  numbers: 'Lista numerada',
  heading: 'Encabezado',
  quote: 'Cita',
  undo: 'Deshacer',
  redo: 'Rehacer',
  link: 'Enlace',
  link_address: 'Dirección del enlace',
  link_set: 'Poner el enlace',
  link_remove: 'Quitar el enlace',
  link_bad: 'Un enlace empieza con https://, http://, mailto: o tel:.',
  loading: 'Abriendo el editor…',
  failed: 'No se pudo abrir el editor. Su texto está a salvo. Cancele y reintente.',
};

const near_misses = (n: number): string =>
  count(n, { one: '# casi accidente', other: '# casi accidentes' });

export const take_along: Words['take_along'] = {
  menu: 'Exportar',
  xlsx: 'Excel (.xlsx)',
  xlsx_last_month: 'El mes pasado a Excel',
  none_last_month: 'El mes pasado no se reportó ningún casi accidente.',
  csv: 'Tabla (CSV)',
  zip: 'Con fotos (zip)',
  csv_title: 'Guardando la tabla',
  zip_title: 'Guardando casi accidentes con sus fotos',
  records: (done, of) => `${f.number(done)} de ${near_misses(of)}`,
  photos: (n) => count(n, { one: '# foto hasta ahora', other: '# fotos hasta ahora' }),
  missing: (n) =>
    count(n, {
      one: 'Falta # foto porque el servidor no respondió. El archivo dice cuál.',
      other: 'Faltan # fotos porque el servidor no respondió. El archivo dice cuáles.',
    }),
  cancel: 'Detener',
  stopped: 'Detenido. No se guardó nada.',
  saved: (n, file) => `${near_misses(n)}: ${file}, en sus descargas.`,
  failed: 'No se pudo guardar el archivo. En esta laptop no cambió nada.',
  heads: {
    number: 'Número',
    incident: 'Trabajo o zona',
    reported: 'Reportado',
    reported_by: 'Reportado por',
    photos: 'Fotos',
    id: 'Referencia del servidor',
  },
  csv_name: 'casi-accidentes',
  zip_name: 'casi-accidentes-con-fotos',
  figures_name: 'panorama',
};
