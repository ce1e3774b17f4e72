/** The queue and recent deliveries. */
import type { Words } from '../shape.ts';
import { bytes, count, f, items, near, photos, span } from './say.ts';

/** Rounds to five seconds, or to minutes above one, so that the line does not change constantly. */
const left = (ms: number): string => span(ms < 60_000 ? Math.ceil(ms / 5_000) * 5_000 : ms);

const nearMisses = (n: number): string =>
  count(n, { one: '# casi accidente', other: '# casi accidentes' });

export const waiting: Words['waiting'] = {
  title: 'Pendientes',
  on_the_way: 'En camino',
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
    go: 'Cambiar para enviar',
    go_to: (name) => `Cambiar a ${name} para enviar`,
  },
  next_try: (ms) => `Próximo intento en ${span(ms)}, o cuando vuelva la red.`,
  trying: 'Intentando ahora…',
  try_now: 'Intentar ahora',
  safe: 'Todo lo de abajo está a salvo en esta laptop.',
  sending: 'Enviando ahora.',
  next_try_item: (ms) => `Próximo intento en ${span(ms)}.`,
  last_answer: (what) => `Último intento: ${what}`,
  server_says: (says) => `El servidor dice: ${says}.`,
  show_steps: (title) => `Pasos de ${title}`,
  text: 'Texto del casi accidente',
  sent: 'Enviado',
  checked: 'Entregado',
  photo_of: (k, n, name) => `Foto ${f.number(k)} de ${f.number(n)} · ${name}`,
  photos_done: (k, n) => `${f.number(k)} de ${photos(n)} ya en el servidor`,
  sent_unattached: 'Subida, adjuntando',
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
        : `Enviando ${photos(n)} · ${count(rest, { one: '# pendiente', other: '# pendientes' })}`,
    waiting: (n) => count(n, { one: '# foto pendiente', other: '# fotos pendientes' }),
    paused: (n) => count(n, { one: '# foto en pausa', other: '# fotos en pausa' }),
    speed: (per_second) => `${bytes(per_second)} por segundo`,
    left: (ms) => `faltan unos ${left(ms)}`,
    measuring: 'Midiendo la velocidad…',
    why: {
      by_hand: 'El texto se envía. Las fotos esperan hasta que usted las envíe (vea Ajustes).',
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
    one_waits: 'En espera',
  },
  retry: 'Enviar de nuevo',
  retry_all: (n) => `Enviar todo de nuevo (${f.number(n)})`,
  set_aside: 'Pausar',
  set_aside_done: 'En pausa. No se envía nada hasta que presione “Enviar de nuevo”.',
  edit: 'Editar',
  fix: 'Corregir',
  open: 'Abrir',
  take_back: 'Cancelar el envío',
  take_back_title: '¿Cancelar el envío?',
  take_back_text:
    'Este reporte no se ha enviado. Vuelve a ser un borrador, con sus fotos. Puede continuarlo en “Nuevo reporte”.',
  take_back_change: 'Spotter deshace el cambio aquí y no lo envía.',
  take_back_of: (what) => `Cancelar el envío: ${what}`,
  taken_back: 'Envío cancelado.',
  aside_text: 'Usted lo puso en pausa. No se envía nada hasta que presione “Enviar de nuevo”.',
  unreadable: 'Un elemento que esta versión de Spotter no puede leer.',
  conflict_todo: 'Compare las dos versiones y elija.',
  project_gone: 'El proyecto no está en el servidor, o usted ya no tiene acceso a él.',
  recycled: 'Mientras tanto, alguien movió este casi accidente a la papelera.',
  recycled_todo: 'Restaure el casi accidente y envíe sus cambios, o descarte sus cambios.',
  gone: 'El servidor ya no tiene este casi accidente.',
  gone_todo: 'Haga un reporte nuevo con su texto y sus fotos, o descártelos.',
  restore_apply: 'Restaurar y enviar',
  restoring: 'Spotter restaura el casi accidente y después envía sus cambios.',
  as_new: 'Hacer un reporte nuevo',
  as_new_done: 'Este es un reporte nuevo con su texto y sus fotos. Revíselo y guárdelo.',
  drop: 'Descartar',
  drop_title: '¿Descartar estos cambios?',
  drop_text:
    'Su texto y sus fotos para este casi accidente se eliminan de esta laptop para siempre.',
  dropped: 'Descartado.',
  orphans: 'Cambios sin guardar de casi accidentes eliminados',
  orphan_text: 'El casi accidente se eliminó en el servidor antes de guardar estos cambios.',
  orphan_photos: (n) => photos(n),
  compare: 'Comparar',
  compare_title: 'Cambiado por dos personas',
  compare_text:
    'Alguien más cambió este casi accidente antes de que se enviara su cambio. Las dos versiones se conservan hasta que elija en cada campo.',
  before: 'Original',
  choose_left: (n) => count(n, { one: 'Elija # más.', other: 'Elija # más.' }),
  mine: 'Lo suyo',
  theirs: 'Lo de la otra persona',
  nothing_there: '(vacío)',
  use_these: 'Guardar',
  resolved: 'Guardado.',
  export_one: 'Exportar',
  more: 'Importar y exportar',
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
    n === 0 ? 'Aceptado' : `Aceptado y comprobado: ${photos(n)}, ${bytes(size)}`,
  at: (at, now) => near(at, now),
  receipt: 'Comprobante',
  receipt_of: (title) => `Comprobante de ${title}`,
  show_more: (n) => `Mostrar ${f.number(n)} más`,
  more_waiting: (n) => count(n, { one: '# elemento más abajo.', other: '# elementos más abajo.' }),
  import: {
    open: 'Importar',
    title: '¿Importar reportes de otra laptop?',
    text: (records, n, size) =>
      n === 0
        ? `El archivo contiene ${nearMisses(records)} sin fotos.`
        : `El archivo contiene ${nearMisses(records)} con ${photos(n)}, ${bytes(size)}.`,
    from: (at, now) => `Exportado ${near(at, now)}.`,
    into: (user, company) =>
      `Se enviarán desde esta laptop para ${user}, ${company}. Los reportes que ya están aquí no cambian.`,
    other_user:
      'Los guardó otro usuario. Impórtelos solo si la otra laptop no los va a enviar. Si no, llegan dos veces al servidor.',
    asked_title: 'El archivo también contiene estos cambios. Marque solo lo que esperaba:',
    asked: {
      deletes: (n) =>
        count(n, {
          one: '# eliminación en el servidor',
          other: '# eliminaciones en el servidor',
        }),
      members: (n) =>
        count(n, {
          one: '# cambio de los miembros del proyecto',
          other: '# cambios de los miembros del proyecto',
        }),
      webhooks: (n) =>
        count(n, {
          one: '# cambio de un webhook, que envía datos a otro sistema',
          other: '# cambios de webhooks, que envían datos a otros sistemas',
        }),
    },
    only_asked: 'No hay nada más en el archivo.',
    left_out: (n) =>
      count(n, {
        one: '# foto no se pudo leer en la otra laptop y no está en el archivo.',
        other: '# fotos no se pudieron leer en la otra laptop y no están en el archivo.',
      }),
    go: 'Importar',
    reading: 'Leyendo el archivo…',
    photo: (k, n) => `Foto ${f.number(k)} de ${f.number(n)}`,
    done: (n) =>
      n === 0
        ? 'Todo lo del archivo ya está aquí.'
        : count(n, { one: '# elemento importado.', other: '# elementos importados.' }),
    refused_title: 'No se importó',
    nothing_changed: 'No cambió nada en esta laptop.',
    not_zip: 'Este no es un archivo zip que se pueda leer.',
    not_ours: 'Spotter no exportó este archivo zip.',
    newer:
      'Una versión más nueva de Spotter exportó este archivo. Primero actualice Spotter en esta laptop.',
    damaged: (what) => `El archivo tiene daños. Spotter no puede leer ${what}.`,
    stopped:
      'Leer este archivo tardaba demasiado y Spotter se detuvo. Los reportes de la otra laptop están a salvo. Expórtelos de nuevo allí.',
    hostile: (what) => `Este archivo no es una exportación válida de Spotter: ${what}.`,
    too_big: (what) => `El archivo es demasiado grande: ${what}.`,
    other_server:
      'Este archivo es para otro servidor u otra empresa. Conéctese ahí y después impórtelo.',
    failed: (why) => why,
  },
  damaged: 'Spotter conserva el elemento como está. Puede exportarlo.',
  step_about: (what, about) => `${what}: ${about}`,
  operation_times: (what, n) => `${what} (${f.number(n)})`,
  waits_for: (incident) => `espera a su trabajo o zona “${incident}”`,
  needed_by: (n) =>
    count(n, { one: '# casi accidente lo espera.', other: '# casi accidentes lo esperan.' }),
  needed_todo: 'Para cancelarlo, primero elija otro trabajo o zona para sus casi accidentes.',
  no_incidents: 'Este servidor no acepta trabajos ni zonas nuevos de Spotter.',
  no_incidents_todo: 'Elija otro trabajo o zona para sus casi accidentes y después cancele este.',
  incident_missing: 'El trabajo o la zona de este casi accidente se canceló. Elija otro.',
  incident_title: (title) => `Trabajo o zona: ${title}`,
  operations: {
    'incident.create': 'Nuevo trabajo o zona',
    'near_miss.create': 'Nuevo reporte',
    'near_miss.update': 'Cambios',
    'near_miss.delete': 'Mover a la papelera',
    'near_miss.restore': 'Restaurar',
    'near_miss.comment': 'Comentario',
    'photo.send': 'Foto',
    'photo.remove': 'Quitar foto',
    'tm_attachment.create': 'Documentos adjuntados',
    'tm_attachment.delete': 'Archivo eliminado',
    'tm_attachment.bulk_delete': 'Archivos eliminados',
    'insurance.create': 'Nueva póliza',
    'insurance.update': 'Póliza cambiada',
    'insurance.delete': 'Póliza eliminada',
    'insurance.sync': 'Pólizas de un archivo',
    'membership.create': 'Miembro agregado',
    'membership.delete': 'Miembro quitado',
    'membership.bulk_add': 'Miembros agregados',
    'membership.bulk_remove': 'Miembros quitados',
    'company_record.create': 'Dato de la empresa agregado',
    'company_record.update': 'Dato de la empresa cambiado',
    'company_record.import': 'Datos de la empresa de una hoja de cálculo',
    'hook.create': 'Nuevo webhook',
    'hook.update': 'Webhook cambiado',
    'hook.delete': 'Webhook eliminado',
    'trigger.create': 'Evento de webhook agregado',
    'trigger.delete': 'Evento de webhook quitado',
  },
};
