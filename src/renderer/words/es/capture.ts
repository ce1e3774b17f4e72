/** The form for a new near miss and for changes to one. */
import type { Words } from '../shape.ts';
import { count, f, photos } from './say.ts';

export const capture: Words['capture'] = {
  title: 'Nuevo casi accidente',
  edit_title: 'Editar el casi accidente',
  what: '¿Qué pasó?',
  what_hint: 'Basta con una o dos frases.',
  what_missing: 'Diga en pocas palabras qué pasó.',
  what_long: 'Es más largo de lo que recibe el servidor (64 KB). Acórtelo.',
  severity: 'Gravedad potencial',
  severity_notes: {
    minor: 'Primeros auxilios, cuando mucho',
    serious: 'Días sin trabajar',
    'could have killed': 'Secuelas de por vida o peor',
    fatal: 'Secuelas de por vida o peor',
  },
  catalog_names: {
    minor: 'Leve',
    serious: 'Grave',
    'could have killed': 'Pudo matar',
    fatal: 'Mortal',
    'falling object': 'Caída de objetos',
    'working at height': 'Trabajo en altura',
    'moving vehicle': 'Vehículo en movimiento',
    electricity: 'Electricidad',
    'slip or trip': 'Resbalón o tropiezo',
    'lifting operation': 'Izaje',
    'excavation edge': 'Borde de excavación',
    'stored pressure': 'Presión acumulada',
    formwork: 'Cimbra',
    'rebar fixing': 'Armado de acero',
    'crane lift': 'Izaje con grúa',
    excavation: 'Excavación',
    'concrete pour': 'Colado de concreto',
    'scaffold erection': 'Montaje de andamios',
    'steel erection': 'Montaje de estructura',
    'traffic management': 'Control de tráfico',
    'immediate action': 'Acción inmediata',
    'people nearby': 'Personas cercanas',
    'work stopped': 'Trabajo detenido',
    'follow-up': 'Seguimiento',
    'follow-up by': 'Seguimiento a cargo de',
    'follow-up date': 'Fecha de seguimiento',
    'follow-up done': 'Seguimiento hecho',
    weather: 'Clima',
    dry: 'Seco',
    rain: 'Lluvia',
    wind: 'Viento',
    fog: 'Niebla',
    'snow or ice': 'Nieve o hielo',
    dark: 'Oscuridad',
  },
  rating: {
    levels: ['Leve', 'Grave', 'Pudo matar'],
    level_notes: [
      'Primeros auxilios, cuando mucho',
      'Días sin trabajar',
      'Secuelas de por vida o peor',
    ],
    open: 'Matriz de riesgo',
    change: 'Cambiar',
    clear: 'Borrar la matriz de riesgo',
    title: 'Matriz de riesgo',
    text: 'Elija un cuadro: qué tan grave pudo haber sido y qué tan probable es que vuelva a pasar.',
    in_text: 'Este servidor no tiene un campo para esto: se agrega al final de su texto.',
    severity: 'Qué tan grave',
    likelihood: 'Qué tan probable',
    severities: [
      'Sin daño',
      'Primeros auxilios',
      'Días sin trabajar',
      'Secuelas de por vida',
      'Muerte',
    ],
    likelihoods: ['Muy improbable', 'Improbable', 'Posible', 'Probable', 'Casi seguro'],
    bands: { low: 'Bajo', medium: 'Medio', high: 'Alto' },
    cell: (severity, likelihood, score, band) =>
      `${severity}, ${likelihood}: ${f.number(score)}, ${band}`,
    chosen: (severity, likelihood, score, band) =>
      `5 × 5: ${severity}, ${likelihood} = ${f.number(score)}, ${band}`,
    level_in_text: (level) =>
      [
        'Pudo haber sido leve (1 de 3).',
        'Pudo haber sido grave (2 de 3).',
        'Pudo haber matado (3 de 3).',
      ][level] ?? '',
    risk_in_text: (severity, likelihood) =>
      `Riesgo 5 × 5: gravedad ${severity}, probabilidad ${likelihood}.`,
  },
  where: 'Dónde',
  where_hint: 'Nivel, acceso, eje…',
  when: 'Cuándo',
  action: 'Acción inmediata',
  action_hint: 'Qué se hizo en el momento',
  incident: 'Trabajo o zona',
  closed_incident: 'cerrado',
  incident_missing: 'Elija el trabajo o la zona.',
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
  new_incident: {
    button: 'Nuevo trabajo o zona',
    title: 'Nuevo trabajo o zona',
    edit_title: 'Editar el trabajo o la zona',
    text: 'Se guarda en esta laptop y se envía antes que sus casi accidentes. No hace falta red.',
    name: '¿Cómo se llama?',
    name_missing: 'Póngale un nombre corto.',
    open: 'Crear',
    done: 'Creado. Se enviará primero.',
    not_sent: 'creado aquí, aún sin enviar',
    not_here: 'Este servidor no acepta trabajos ni zonas nuevos de Spotter.',
  },
  suggestions: 'Sugerencias',
  unknown_fields: (names) =>
    `Esta versión de Spotter no puede editar ${names}. Su valor se conserva.`,
  name_person: 'Nombrar a una persona',
  name_person_why:
    'Por omisión no se nombra a nadie. Un casi accidente trata de qué pasó, no de quién: la gente reporta más cuando no se nombra a nadie.',
  again: {
    use: 'Lo mismo otra vez',
    takes: (what) => `Copia ${f.list(what)}`,
    done: 'Copiado de su último reporte. Diga qué pasó esta vez.',
    done_alike: 'Copiado: dónde, trabajo, empresa y actividad.',
    alike: (n, place, there) =>
      place === ''
        ? count(n, { one: '# parecido aquí', other: '# parecidos aquí' })
        : `${count(n, { one: '# parecido aquí', other: '# parecidos aquí' })}, ${f.number(there)} en ${place}`,
    alike_title: 'Reportar otra vez uno de estos',
    alike_about: 'Copia dónde, trabajo, empresa y actividad.',
  },
  drafts: {
    open: (n) => count(n, { one: '# borrador más', other: '# borradores más' }),
    title: 'Sin terminar',
    empty: 'Aún sin texto',
    facts: (at, n, first) =>
      [...(first ? [capture.drafts.title] : []), at, ...(n === 0 ? [] : [photos(n)])].join(' · '),
    go_on: 'Continuar',
    go_on_with: (title) => `Continuar ${title}`,
    throw: 'Descartar',
    throw_this: (title) => `Descartar ${title}`,
    fresh: 'Empezar uno nuevo',
    undo: 'Deshacer',
    back: 'El borrador volvió.',
  },
  people: 'Personas',
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
    stopped: (name) =>
      `Leer ${name} llevaba más tiempo o memoria de lo que necesita una foto y se detuvo. El archivo está a salvo donde está. Se puede agregar como está, sin verla aquí y con lo que diga de lugares y personas.`,
    add: 'Agregarla como está',
    leave_out: 'Dejarla fuera',
  },
  offer: {
    title: 'Hora de la foto',
    used: (local) => `Hora de la foto: ${capture.offer.time(local)}`,
    undo: 'Deshacer',
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
    place_cleaned: 'Se quitó de la foto, no se envía. Haga clic para copiarlo.',
    place_kept: 'También se queda dentro de la foto. Haga clic para copiarlo.',
    copy_place: (name, place) => `Copiar el lugar de ${name}: ${place}`,
    place_copied: 'Lugar copiado.',
    place_not_copied: 'No se pudo copiar el lugar.',
    not: (what) => `Descartar: ${what}`,
  },
  photo_refused: (name, why) => `${name} no se agregó. ${why}`,
  existing: 'Adjunta',
  save: 'Guardar',
  save_another: 'Guardar y agregar otro',
  saving: 'Guardando…',
  save_wait: 'Las fotos todavía se están guardando…',
  draft_kept: 'El borrador se guarda mientras escribe.',
  draft_restored: 'Está continuando un borrador.',
  draft_discard: 'Empezar de nuevo',
  draft_discard_text: (n) =>
    n === 0
      ? 'Lo que escribió se quita de esta laptop.'
      : `Lo que escribió y ${photos(n)} se quitan de esta laptop.`,
  draft_gone: 'Borrador descartado.',
  edit_restored: 'Tiene cambios sin guardar.',
  edit_discard_title: '¿Descartar estos cambios?',
  edit_gone: 'Cambios descartados.',
  no_network: 'No hace falta red:',
  no_network_text: 'se envía cuando haya conexión.',
  saved: 'Guardado en esta laptop.',
  saved_changes: 'Cambios guardados en esta laptop.',
  open_it: 'Abrirlo',
  shortcut: 'Ctrl + Intro guarda',
  refused_title: 'El servidor no aceptó este reporte.',
  refused_here: (says) => `El servidor dice: “${says}”.`,
  refused_todo: 'Corríjalo y guarde: así se envía de nuevo.',
  cannot_save: 'Aún no se guardó.',
  fix: (n) => count(n, { one: '# campo por completar:', other: '# campos por completar:' }),
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
  phone: {
    button: 'Desde un teléfono',
    title: 'Fotos desde un teléfono',
    starting: 'Preparando el código…',
    code: 'Código QR para el teléfono',
    steps: [
      'Conecte el teléfono a la misma red wifi que esta laptop.',
      'Escanee este código con la cámara del teléfono.',
      'Elija las fotos en el teléfono.',
    ],
    network: 'Red',
    at: (host) =>
      `Sirve una vez, para un teléfono, mientras esta ventana esté abierta. El teléfono abre ${host}.`,
    seen: 'El teléfono abrió la página…',
    joined: 'Teléfono conectado. Ahora elija las fotos en él.',
    here: (n, all) =>
      `${f.number(n)} de ${count(all, { one: '# foto', other: '# fotos' })} en este reporte`,
    states: {
      checked: 'Agregando…',
      kept: 'Agregada',
      there: 'Ya está en este reporte',
      asks: 'Vea la pregunta bajo las fotos',
    },
    refused: {
      not_a_photo: 'No es foto ni video',
      empty: 'El archivo está vacío',
      too_large: 'Más de 2 GB',
      too_many: 'Más de lo que admite un código',
      no_space: 'El disco de esta laptop está lleno',
      differs: 'Cambió por el camino',
      other: 'No se agregó',
    },
    nothing: '¿El teléfono no puede abrir la página?',
    nothing_todo:
      'El teléfono y la laptop deben estar en la misma red wifi, y no en una de invitados. Si la laptop preguntó si Spotter puede usar la red, permítalo. O active la zona con cobertura inalámbrica de esta laptop y conecte el teléfono a ella.',
    no_network:
      'Esta laptop no está en ninguna red a la que llegue un teléfono. Active su zona con cobertura inalámbrica (Windows: Configuración, Red e Internet), conecte el teléfono a ella y reintente.',
    failed: 'Spotter no puede usar esta red. Permítalo en el firewall de la laptop y reintente.',
    again: 'Reintentar',
    anew: 'Código nuevo',
    stop: 'Detener',
    another: 'Un segundo teléfono escaneó este código.',
    another_todo:
      'No puede ver ni enviar nada. Si el teléfono conectado no es el suyo, presione «Código nuevo».',
    silent: 'El teléfono no está enviando ahora.',
    silent_todo: 'Encienda su pantalla y deje la página abierta. Sigue donde se detuvo.',
    closed: {
      asked: 'El código terminó: se bloqueó la pantalla o se abrió otra ventana.',
      idle: 'El código terminó tras diez minutos sin fotos.',
      refused: 'Algo más en esta red intentó entrar. El código se anuló.',
      window: 'El código terminó porque la laptop estaba en reposo.',
      account: 'El código terminó porque se cerró la sesión.',
      failed: 'La red se perdió.',
    },
  },
  camera_name: (at) => {
    const d = new Date(at);
    const two = (n: number) => String(n).padStart(2, '0');
    return `Foto ${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}${two(d.getMinutes())}${two(d.getSeconds())}.jpg`;
  },
};

export const capture_settings: Words['capture_settings'] = {
  title: 'Nuevos casi accidentes',
  people: 'Nombrar personas',
  peoples: { off: 'Solo si se pide', on: 'Preguntar siempre' },
  people_notes: {
    off: 'El formulario omite a quién le pasó hasta que alguien quiera nombrar a una persona.',
    on: 'La persona y la parte siempre están entre los campos.',
  },
  fields: 'Campos del formulario de este proyecto',
  fields_text:
    'Spotter los encuentra por su nombre. Si su empresa llama a alguno de otra manera, elíjalo aquí.',
  parts: {
    severity: 'Gravedad potencial',
    where: 'Dónde',
    when: 'Cuándo',
    action: 'Acción inmediata',
  },
  by_label: (label) => (label === '' ? 'Por su nombre: ninguno' : `Por su nombre: ${label}`),
  no_field: 'Ninguno',
  keys: 'Teclas para un nuevo casi accidente',
  keys_choices: { on: (keys) => keys, off: 'Sin teclas' },
  keys_refused: (keys) => `Otro programa usa ${keys}: en Spotter no hacen nada.`,
  keys_none_free: 'Tampoco está libre ninguna de las otras que Spotter conoce.',
  keys_take: (keys) => `Usar ${keys}`,
  key_shift: 'Mayús',
  keys_notes: {
    on: 'Desde cualquier programa, mientras Spotter esté abierto. Si otro programa usa estas teclas, las conserva.',
    off: 'Alt + N en la ventana de Spotter siempre funciona.',
  },
  keys_browser:
    'Alt + N en la ventana de Spotter. Para otras ventanas hace falta el programa de escritorio.',
};
