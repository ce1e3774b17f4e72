/** What waits to be sent, and what was delivered. */
import type { Words } from '../shape.ts';
import { bytes, count, f, items, near, photos, span } from './say.ts';

/** Seconds are said in fives and the rest in minutes, so that the line does not change with every look. */
const left = (ms: number): string => span(ms < 60_000 ? Math.ceil(ms / 5_000) * 5_000 : ms);

const nearMisses = (n: number): string =>
  count(n, { one: '# casi accidente', other: '# casi accidentes' });

export const waiting: Words['waiting'] = {
  title: 'Pendientes',
  nothing: 'No hay nada pendiente',
  nothing_text: 'Todo lo guardado en esta laptop se ha entregado.',
  nothing_here: (name) => `Todo lo guardado para ${name} está entregado.`,
  elsewhere: {
    title: 'Pendientes de otras conexiones',
    text: (n) =>
      count(n, {
        one: '# elemento, a salvo en esta laptop',
        other: '# elementos, a salvo en esta laptop',
      }),
    go: 'Ir ahí para enviar',
    go_to: (name) => `Ir a ${name} para enviar`,
  },
  next_try: (ms) => `Próximo intento en ${span(ms)}, o cuando vuelva la red.`,
  trying: 'Intentando ahora…',
  try_now: 'Intentar ahora',
  safe: 'Todo lo de abajo está a salvo en esta laptop.',
  sending: 'Enviando ahora.',
  next_try_item: (ms) => `Próximo intento en ${span(ms)}.`,
  last_answer: (what) => `Última respuesta: ${what}`,
  server_says: (says) => `El servidor dice: ${says}.`,
  show_steps: (title) => `Pasos de ${title}`,
  text: 'Texto del casi accidente',
  sent: 'Enviado',
  checked: 'Entregado',
  photo_of: (k, n, name) => `Foto ${f.number(k)} de ${f.number(n)} · ${name}`,
  photos_done: (k, n) => `${f.number(k)} de ${photos(n)}: entrega lista`,
  sent_unhung: 'Subida, adjuntando',
  sent_unread: 'Adjunta, comprobando',
  photos_behind: (n) =>
    count(n, { one: '# foto espera por esto.', other: '# fotos esperan por esto.' }),
  photos_pending: (n) => count(n, { one: '# foto pendiente', other: '# fotos pendientes' }),
  not_started: 'Sin empezar',
  record_saved: 'Reporte guardado',
  record_delivered: 'Reporte entregado',
  steps: {
    hashing: 'Leyendo la foto',
    creating: 'Preparando',
    sending: 'Enviando la foto',
    completing: 'Terminando la foto',
    attaching: 'Adjuntando la foto',
    verifying: 'Comprobando la foto',
  },
  of_bytes: (sent, size) => `${bytes(sent)} de ${bytes(size)}`,
  facts: (n, size) => `${photos(n)}, ${bytes(size)}`,
  tries: (n) => count(n, { one: 'Un intento', other: '# intentos' }),
  traffic: {
    title: 'Fotos en camino',
    sending: (n, rest) =>
      rest === 0
        ? `Enviando ${photos(n)}`
        : `Enviando ${photos(n)} · ${count(rest, { one: '# espera', other: '# esperan' })}`,
    waiting: (n) => count(n, { one: '# foto espera', other: '# fotos esperan' }),
    paused: (n) => count(n, { one: '# foto en pausa', other: '# fotos en pausa' }),
    speed: (per_second) => `${bytes(per_second)} por segundo`,
    left: (ms) => `faltan unos ${left(ms)}`,
    measuring: 'Midiendo la velocidad',
    why: {
      by_hand:
        'El texto se envía. Las fotos esperan a que usted las envíe: así lo dicen los ajustes.',
      save_data: 'El texto se envía. Las fotos esperan porque esta computadora ahorra datos.',
      cellular:
        'El texto se envía. Las fotos esperan porque esta computadora está en una red móvil.',
      slow: 'El texto se envía. Las fotos esperan porque la red es lenta.',
      paused: 'El texto se envía. Las fotos en pausa esperan a que usted las envíe.',
    },
    send_now: 'Enviar las fotos ahora',
    pause: 'Pausar las fotos',
    send_one: (name) => `Enviar ${name} ahora`,
    pause_one: (name) => `Pausar ${name}`,
    cancel_one: (name) => `No enviar ${name}`,
    cancelled: 'Foto eliminada. No se envió.',
    cancel_title: '¿Eliminar esta foto?',
    cancel_text: 'La foto no se envía y se elimina de esta laptop.',
    cancel_go: 'Eliminar',
    too_late: 'El servidor ya tiene esta foto. Mejor quítela del casi accidente.',
    one_paused: 'En pausa',
    one_waits: 'Las fotos esperan',
  },
  retry: 'Enviar de nuevo',
  retry_all: (n) => `Enviar todo de nuevo (${f.number(n)})`,
  set_aside: 'Apartar',
  set_aside_done: 'Apartado. Se queda aquí hasta que lo envíe de nuevo.',
  edit: 'Editar',
  fix: 'Corregir',
  open: 'Abrir',
  take_back: 'Cancelar el envío',
  take_back_title: '¿Cancelar el envío?',
  take_back_text:
    'Este reporte no se ha enviado. Vuelve a ser un borrador, con sus fotos. Puede continuarlo en “Nuevo casi accidente”.',
  take_back_change: 'El cambio no se envía y se deshace aquí.',
  take_back_of: (what) => `Cancelar el envío: ${what}`,
  taken_back: 'Envío cancelado.',
  aside_text: 'Apartado por usted. No se envía hasta que usted lo envíe.',
  unreadable: 'Un elemento que esta versión no puede leer.',
  conflict_todo: 'Compare las dos versiones y elija.',
  project_gone: 'El servidor no tiene ese proyecto, o usted ya no puede verlo.',
  recycled: 'Mientras tanto, este casi accidente se envió a la papelera.',
  recycled_todo: 'Sáquelo de la papelera y envíe esto, o descártelo.',
  gone: 'El servidor ya no tiene este casi accidente.',
  gone_todo: 'Lo que escribió y sus fotos pueden ser un reporte nuevo, o descartarse.',
  restore_apply: 'Restaurar y enviar',
  restoring: 'Se saca de la papelera y después se envían sus cambios.',
  as_new: 'Hacer un reporte nuevo',
  as_new_done: 'Un reporte nuevo con su texto y sus fotos. Revíselo y guárdelo.',
  drop: 'Descartar',
  drop_title: '¿Descartar lo pendiente?',
  drop_text: 'Su texto y sus fotos para este casi accidente se quitan de esta laptop para siempre.',
  dropped: 'Descartado.',
  orphans: 'Cambios sin terminar de casi accidentes que ya no existen',
  orphan_text: 'El casi accidente se eliminó en el servidor antes de guardar estos cambios.',
  orphan_photos: (n) => photos(n),
  compare: 'Comparar',
  compare_title: 'Cambiado por dos personas',
  compare_text:
    'Alguien más cambió esto mientras su cambio esperaba. Las dos versiones se conservan hasta que elija en cada campo.',
  before: 'Antes de los dos cambios',
  choose_left: (n) => count(n, { one: 'Falta elegir un campo.', other: 'Falta elegir # campos.' }),
  mine: 'La mía',
  theirs: 'En el servidor',
  nothing_there: '(vacío)',
  use_these: 'Usar estas',
  resolved: 'Guardado. Se enviará cuando haya conexión.',
  export_one: 'Exportar',
  export_all: 'Exportar todo',
  exported: (n) =>
    count(n, {
      one: '# elemento exportado a sus descargas.',
      other: '# elementos exportados a sus descargas.',
    }),
  actions: (title) => `Más de ${title}`,
  total: (n, size) => (size > 0 ? `${items(n)} · ${bytes(size)}` : items(n)),
  items,
  delivered: 'Entregado',
  delivered_none: 'Nada de esta laptop en los últimos 7 días.',
  read_back: (n, size) =>
    n === 0
      ? 'Registro aceptado'
      : `Registro aceptado; leído de vuelta, igual: ${photos(n)}, ${bytes(size)}`,
  at: (at, now) => near(at, now),
  receipt: 'Comprobante',
  receipt_of: (title) => `Comprobante de ${title}`,
  show_more: (n) => `Mostrar ${f.number(n)} más`,
  more_waiting: (n) =>
    count(n, { one: '# elemento más espera abajo.', other: '# elementos más esperan abajo.' }),
  import: {
    open: 'Importar',
    title: '¿Importar lo pendiente de otra laptop?',
    text: (records, n, size) =>
      n === 0
        ? `El archivo contiene ${nearMisses(records)} sin fotos.`
        : `El archivo contiene ${nearMisses(records)} con ${photos(n)}, ${bytes(size)}.`,
    from: (at, now) => `Exportado ${near(at, now)}.`,
    into: (user, company) =>
      `Se suman a los pendientes de ${user}, ${company}, y se envían también desde esta laptop. Lo que ya está aquí se deja como está.`,
    other_user:
      'Los guardó otra cuenta. Si la otra laptop también los envía, quedan registrados dos veces: impórtelos solo si no los envía.',
    asked_title: 'También está en el archivo. Marque solo lo que conoce:',
    asked: {
      deletes: (n) =>
        count(n, {
          one: '# eliminación de un registro o una foto',
          other: '# eliminaciones de registros o fotos',
        }),
      members: (n) =>
        count(n, {
          one: '# cambio de quién está en el proyecto',
          other: '# cambios de quién está en el proyecto',
        }),
      webhooks: (n) =>
        count(n, {
          one: '# cambio de un webhook, que envía datos a otro sistema',
          other: '# cambios de webhooks, que envían datos a otros sistemas',
        }),
    },
    only_asked: 'El archivo no contiene nada más que lo siguiente.',
    left_out: (n) =>
      count(n, {
        one: '# foto no se pudo leer en la otra laptop y no está en el archivo.',
        other: '# fotos no se pudieron leer en la otra laptop y no están en el archivo.',
      }),
    go: 'Importar',
    reading: 'Revisando el archivo…',
    photo: (k, n) => `Foto ${f.number(k)} de ${f.number(n)}`,
    done: (n) =>
      n === 0
        ? 'Todo lo que contiene ya está aquí.'
        : count(n, { one: '# elemento importado.', other: '# elementos importados.' }),
    refused_title: 'No se importó',
    nothing_changed: 'No cambió nada en esta laptop.',
    not_zip: 'Este no es un archivo zip que se pueda leer.',
    not_ours: 'Este zip no lo exportó Spotter.',
    newer: 'Esto lo exportó un Spotter más nuevo. Actualice este primero.',
    damaged: (what) => `El archivo tiene daños: ${what} no se lee como se escribió.`,
    stopped:
      'Leer este archivo llevaba más tiempo o memoria de lo permitido y se detuvo. Lo que está en la otra laptop está a salvo: expórtelo de nuevo allí.',
    hostile: (what) => `El archivo contiene algo que ninguna exportación tiene: ${what}.`,
    too_big: (what) => `El archivo es demasiado grande: ${what}.`,
    other_server:
      'Esto se exportó para otro servidor u otra empresa. Conéctese a ese y después impórtelo.',
    failed: (why) => why,
  },
  damaged: 'Este elemento no se puede leer. Se conserva como está y se puede exportar.',
  step_about: (what, about) => `${what}: ${about}`,
  operation_times: (what, n) => `${what} (${f.number(n)})`,
  waits_for: (incident) => `espera a su trabajo o zona “${incident}”`,
  needed_by: (n) =>
    count(n, { one: '# casi accidente lo espera.', other: '# casi accidentes lo esperan.' }),
  needed_todo: 'Para cancelarlo, primero elija otro trabajo o zona para sus casi accidentes.',
  no_incidents: 'Este servidor no recibe trabajos ni zonas nuevos desde aquí.',
  no_incidents_todo: 'Elija otro trabajo o zona para sus casi accidentes y después cancele este.',
  incident_missing: 'El trabajo o la zona de este casi accidente se canceló. Elija otro.',
  incident_title: (title) => `Trabajo o zona: ${title}`,
  operations: {
    'incident.create': 'Nuevo trabajo o zona',
    'near_miss.create': 'Nuevo casi accidente',
    'near_miss.update': 'Cambios',
    'near_miss.delete': 'A la papelera',
    'near_miss.restore': 'Fuera de la papelera',
    'photo.send': 'Foto',
    'photo.remove': 'Foto quitada',
    'tm_attachment.create': 'Documentos adjuntados',
    'tm_attachment.delete': 'Archivo eliminado',
    'tm_attachment.bulk_delete': 'Archivos eliminados',
    'insurance.create': 'Nuevo seguro',
    'insurance.update': 'Seguro cambiado',
    'insurance.delete': 'Seguro eliminado',
    'insurance.sync': 'Seguros de un archivo',
    'membership.create': 'Miembro agregado',
    'membership.delete': 'Miembro quitado',
    'membership.bulk_add': 'Miembros agregados',
    'membership.bulk_remove': 'Miembros quitados',
    'company_record.create': 'Dato nuevo',
    'company_record.update': 'Dato cambiado',
    'company_record.import': 'De una hoja de cálculo',
    'hook.create': 'Nuevo webhook',
    'hook.update': 'Webhook cambiado',
    'hook.delete': 'Webhook eliminado',
    'trigger.create': 'Disparador agregado',
    'trigger.delete': 'Disparador quitado',
  },
};
