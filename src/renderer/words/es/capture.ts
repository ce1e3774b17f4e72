/** The form for a new near miss and for changes to one. */
import type { Spoken } from '../untranslated.ts';
import { count, f, photos } from './say.ts';

export const capture: Spoken<'capture'> = {
  title: 'Nuevo casi accidente',
  edit_title: 'Editar el casi accidente',
  what: '¿Qué pasó?',
  what_hint: 'Basta con una o dos frases.',
  what_missing: 'Diga en pocas palabras qué pasó.',
  what_long: 'Es más largo de lo que recibe el servidor (64 KB). Acórtelo.',
  severity: '¿Qué tan grave pudo haber sido?',
  severity_notes: {
    minor: 'Primeros auxilios, cuando mucho',
    serious: 'Días sin trabajar',
    'could have killed': 'Secuelas de por vida o peor',
    fatal: 'Secuelas de por vida o peor',
  },
  where: 'Dónde',
  where_hint: 'Nivel, acceso, eje…',
  when: 'Cuándo',
  from_photo: 'de la foto',
  from_clock: 'ahora',
  incident: 'Incidente',
  incident_missing: 'Elija el incidente al que pertenece.',
  required: (label) => `${label}: aquí es obligatorio.`,
  not_a_number: 'Escriba un número.',
  not_a_choice: 'Esta opción ya no se ofrece. Elija otra.',
  choose: 'Elija…',
  nothing_fits: 'Nada coincide.',
  more_options: (n) => `${f.number(n)} más: escriba para acotar.`,
  clear: 'Borrar',
  open_list: 'Mostrar la lista',
  typed_id: 'Escriba su número',
  typed_id_hint: 'Este servidor no da una lista para elegir.',
  more_fields: (names, rest) =>
    rest > 0
      ? `${names.join(', ')} y ${count(rest, { one: '# campo más', other: '# campos más' })}`
      : names.join(', '),
  people: 'personas',
  people_first: 'Personas',
  equipment: 'equipo',
  yes: 'Sí',
  no: 'No',
  photos: 'Fotos',
  drop: 'Suelte aquí fotos o videos',
  paste: 'o péguelos',
  drop_now: 'Suelte para agregar',
  take: 'Tomar una foto',
  files: 'Elegir archivos',
  adding: (name) => `Agregando ${name}`,
  remove: (name) => `Quitar ${name}`,
  removed: 'Foto quitada.',
  stop: (name) => `Dejar de agregar ${name}`,
  steps: {
    waiting: 'Espera su turno',
    writing: 'Se escribe en el disco',
    scaling: 'Se reduce',
    done: 'Listo',
  },
  written: (written, size) => `${f.bytes(written)} de ${f.bytes(size)}`,
  video: 'Video',
  no_preview: 'Sin vista previa',
  cleaned: 'Sin ubicación ni nombres',
  size: {
    smaller: (before, after) => `${f.bytes(before)} → ${f.bytes(after)}`,
    send_original: 'Enviar el original',
    send_smaller: 'Enviar una más pequeña',
    busy: 'Reduciéndola…',
    no_smaller: (name) => `${name} no quedaría más pequeña. Se envía como está.`,
  },
  duplicate: (name) => `${name}: esta foto ya está en el reporte.`,
  too_many_pixels: (width, height) =>
    `Dice medir ${f.number(width)} × ${f.number(height)} píxeles, más de lo que hace cualquier cámara. Abrirla podría llenar la memoria de esta computadora.`,
  ask: {
    damaged: (name) =>
      `${name} tiene daños: no se puede encontrar ni quitar lo que diga de lugares y personas.`,
    unknown_parts: (name) =>
      `${name} está hecha de una forma que Spotter no conoce: no se puede quitar con seguridad lo que diga de lugares y personas.`,
    add: 'Agregarla como está',
    leave_out: 'Dejarla fuera',
  },
  offer: {
    title: 'De la foto',
    time: (local) => {
      const at = new Date(local);
      return Number.isNaN(at.getTime()) ? local.replace('T', ' ') : f.moment(at.getTime());
    },
    no_zone: 'El reloj de la cámara. No dice su zona horaria.',
    zone: (local, offset) =>
      offset === null
        ? `${local} en el reloj de la cámara. Corregido con la hora del GPS.`
        : `${local} en el reloj de la cámara (UTC${offset === 'Z' ? '' : offset}).`,
    use_time: 'Usar como hora',
    place: ({ latitude, longitude }, direction) => {
      const at = `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
      return direction === null ? at : `${at}, hacia ${Math.round(direction)}°`;
    },
    place_cleaned: 'Se quitó de la foto misma. Solo va si la usa aquí.',
    place_kept: 'También se queda dentro de la foto.',
    use_place: 'Usar como lugar',
    not: (what) => `Descartar: ${what}`,
  },
  photo_refused: (name, why) => `${name} no se agregó. ${why}`,
  existing: 'Ya está ahí',
  save: 'Guardar',
  save_another: 'Guardar y agregar otro',
  saving: 'Guardando…',
  save_wait: 'Las fotos todavía se escriben en el disco…',
  draft_kept: 'El borrador se guarda mientras escribe.',
  draft_restored: 'Volvió su casi accidente sin terminar.',
  draft_discard: 'Empezar de nuevo',
  draft_discard_text: (n) =>
    n === 0
      ? 'Lo que escribió se quita de esta laptop.'
      : `Lo que escribió y ${photos(n)} se quitan de esta laptop.`,
  draft_gone: 'Borrador descartado.',
  edit_restored: 'Volvieron sus cambios sin terminar.',
  edit_discard_title: '¿Descartar estos cambios?',
  edit_gone: 'Cambios descartados.',
  no_network: 'No hace falta red:',
  no_network_text: 'se envía cuando haya conexión.',
  saved: 'Guardado en esta laptop.',
  saved_changes: 'Cambios guardados en esta laptop.',
  open_it: 'Abrirlo',
  shortcut: 'Ctrl + Intro guarda',
  cannot_save: 'Aún no se guardó.',
  fix: (n) => count(n, { one: 'Un campo por atender.', other: '# campos por atender.' }),
  camera: {
    title: 'Tomar una foto',
    close: 'Cerrar',
    starting: 'Iniciando la cámara…',
    shoot: 'Tomar la foto',
    done: 'Listo',
    other: 'Usar la otra cámara',
    choose: 'Mejor elegir archivos',
    taken: (n) => count(n, { one: '# foto agregada', other: '# fotos agregadas' }),
    none: 'No se encontró una cámara en esta computadora. Puede elegir archivos de fotos.',
    denied:
      'Spotter no tiene permiso para usar la cámara. Permítalo en los ajustes del sistema, o elija archivos de fotos.',
    busy: 'Otro programa está usando la cámara. Ciérrelo y reintente, o elija archivos de fotos.',
  },
  camera_name: (at) => {
    const d = new Date(at);
    const two = (n: number) => String(n).padStart(2, '0');
    return `Foto ${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}${two(d.getMinutes())}${two(d.getSeconds())}.jpg`;
  },
};
