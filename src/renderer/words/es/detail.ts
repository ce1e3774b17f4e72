/** What this laptop did to a near miss, how it is printed, how its description is formatted. */
import type { Words } from '../shape.ts';
import { count, f } from './say.ts';

export const history: Words['history'] = {
  title: 'En esta laptop',
  note: 'Lo que se hizo aquí, y cuándo. Los cambios de otras personas no aparecen.',
  more: (n) => count(n, { one: 'Mostrar # paso más', other: 'Mostrar # pasos más' }),
  less: 'Mostrar menos',
  earlier: 'Los pasos anteriores no se guardaron en esta laptop.',
  at: (at) => f.moment(at),
  change: (name, before, after) => `${name}: ${before} → ${after}`,
  nothing: 'vacío',
  changed: 'Cambiado antes de enviarse',
  queued: {
    'near_miss.create': 'Guardado en esta laptop',
    'near_miss.update': 'Cambiado, guardado en esta laptop',
    'near_miss.delete': 'Enviado a la papelera',
    'near_miss.restore': 'Restaurado de la papelera',
    'photo.send': (name) => `Foto ${name} agregada`,
    'photo.remove': 'Una foto quitada',
    other: 'Cambiado, guardado en esta laptop',
  },
  dropped: {
    'near_miss.create': 'Cancelado antes de enviarse',
    'near_miss.update': 'Un cambio cancelado antes de enviarse',
    'near_miss.delete': 'Eliminación cancelada',
    'near_miss.restore': 'Restauración cancelada',
    'photo.send': 'Una foto quitada antes de enviarse',
    'photo.remove': 'Cancelado antes de enviarse',
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
      one: '# foto no se pudo descargar porque el servidor no responde. El archivo la menciona.',
      other:
        '# fotos no se pudieron descargar porque el servidor no responde. El archivo las menciona.',
    }),
  cancel: 'Detener',
  stopped: 'Detenido. No se guardó nada.',
  saved: (n) => `Guardado: ${near_misses(n)}.`,
  failed: 'No se pudo guardar el archivo. En esta laptop no cambió nada.',
  heads: {
    number: 'Número',
    incident: 'Trabajo o zona',
    description: 'Qué pasó',
    reported: 'Reportado',
    reported_by: 'Reportado por',
    harm_source: 'Fuente de daño',
    work_activity: 'Actividad',
    equipment: 'Equipo',
    affected_company: 'Empresa afectada',
    affected_party: 'Parte afectada',
    affected_person: 'Persona afectada',
    photos: 'Fotos',
    id: 'Id en el servidor',
  },
  csv_name: 'casi-accidentes',
  zip_name: 'casi-accidentes-con-fotos',
  figures_name: 'panorama',
};
