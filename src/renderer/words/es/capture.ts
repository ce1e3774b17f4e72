/** The form for a new near miss and for changes to one. */
import type { Words } from '../shape.ts';
import { count, f, photos } from './say.ts';

export const capture: Words['capture'] = {
  title: 'Nuevo reporte',
  edit_title: 'Editar el casi accidente',
  edit_title_of: (number) => `Editar el casi accidente ${number}`,
  what: '¿Qué pasó?',
  what_hint: 'Basta con una o dos frases.',
  what_missing: 'Diga en pocas palabras qué pasó.',
  what_long: 'El texto es demasiado largo para el servidor (64 KB). Acórtelo.',
  severity: 'Gravedad potencial',
  severity_notes: {
    minor: 'A lo más, primeros auxilios',
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
    'follow-up by': 'Responsable del seguimiento',
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
      'A lo más, primeros auxilios',
      'Días sin trabajar',
      'Secuelas de por vida o peor',
    ],
    open: 'Matriz de riesgo',
    change: 'Cambiar',
    clear: 'Borrar la matriz de riesgo',
    title: 'Matriz de riesgo',
    text: 'Elija un cuadro: qué tan grave pudo haber sido y qué tan probable es que vuelva a pasar.',
    in_text:
      'Este servidor no tiene un campo para la matriz. Se agrega al final de su descripción.',
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
  action_hint: 'Qué se hizo de inmediato',
  incident: 'Trabajo o zona',
  closed_incident: 'cerrado',
  incident_missing: 'Elija el trabajo o la zona.',
  required: (label) => `Falta completar: ${label}.`,
  not_a_number: 'Escriba un número.',
  not_a_choice: 'Esta opción ya no se ofrece. Elija otra.',
  choose: 'Elija…',
  nothing_fits: 'Nada coincide.',
  more_options: (n) => `${f.number(n)} más. Siga escribiendo para acotar.`,
  clear: 'Borrar',
  open_list: 'Mostrar la lista',
  typed_id: 'Escriba el número',
  typed_id_hint: 'Este servidor no ofrece una lista.',
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
    `Esta versión de Spotter no puede editar ${names}. El valor se conserva.`,
  name_person: 'Nombrar a una persona',
  name_person_why:
    'Normalmente no se nombra a nadie. Un casi accidente trata de lo que pasó, no de quién lo hizo: la gente reporta más cuando no se nombra a nadie.',
  again: {
    use: 'Lo mismo otra vez',
    takes: (what) => `copia ${f.list(what)}`,
    done: 'Copiado de su último reporte. Ahora diga qué pasó esta vez.',
    done_alike: 'Se copiaron dónde, trabajo o zona, empresa y actividad.',
    alike: (n, place, there) =>
      place === ''
        ? count(n, { one: '# reporte parecido', other: '# reportes parecidos' })
        : `${count(n, { one: '# reporte parecido', other: '# reportes parecidos' })}, ${f.number(there)} en ${place}`,
    alike_title: 'Reportar otra vez uno de estos',
    alike_about: 'Copia dónde, trabajo o zona, empresa y actividad.',
  },
  folder: {
    button: 'Vigilar una carpeta',
    short: 'Carpeta',
    title: (name) => `Nuevo en ${name}`,
    none: (name) => `${name}: no hay fotos nuevas. Spotter solo lee esta carpeta.`,
    asks: (name) => `¿Buscar otra vez fotos nuevas en ${name}?`,
    look: 'Buscar',
    gone: (name) =>
      `${name} no se puede leer ahora. Inserte la tarjeta o conecte el teléfono y reintente.`,
    stop: (name) => `Dejar de vigilar ${name}`,
    span: (from, to) => `${from} a ${to}`,
    add: (n) => count(n, { one: 'Agregar #', other: 'Agregar #' }),
    not_these: 'Estas no',
    more: (n) =>
      count(n, { one: '# grupo más antiguo abajo.', other: '# grupos más antiguos abajo.' }),
  },
  trades: {
    menu: 'Por oficio',
    title: '¿Qué tipo de trabajo?',
    about: 'Llena la fuente de daño, la actividad y la acción inmediata.',
    filled: (name) => `Llenado para ${name.toLowerCase()}. Revise qué se hizo.`,
    emptied: 'Se vació otra vez.',
    names: {
      scaffold: 'Andamios',
      lifting: 'Izaje',
      electrical: 'Trabajo eléctrico',
      excavation: 'Excavación',
      vehicles: 'Vehículos y maquinaria',
      hot_work: 'Trabajo en caliente',
    },
    actions: {
      scaffold: 'Andamio cerrado y fuera de servicio hasta su inspección.',
      lifting: 'Izaje detenido y zona bajo la carga despejada.',
      electrical: 'Energía cortada y bloqueada.',
      excavation: 'Borde cerrado y personas alejadas.',
      vehicles: 'Vehículo detenido y personas fuera de su paso.',
      hot_work: 'Trabajo detenido y vigilancia contra incendio.',
    },
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
    back: 'Borrador recuperado.',
  },
  people: 'Personas',
  equipment: 'equipo',
  yes: 'Sí',
  no: 'No',
  photos: 'Fotos',
  drop: 'Suelte aquí fotos o videos',
  paste: 'o péguelos',
  drop_now: 'Suelte para agregar',
  take: 'Tomar foto',
  files: 'Elegir archivos',
  adding: (name) => `Agregando ${name}`,
  remove: (name) => `Quitar ${name}`,
  removed: 'Foto quitada.',
  stop: (name) => `Dejar de agregar ${name}`,
  steps: {
    waiting: 'En cola',
    writing: 'Guardando',
    scaling: 'Reduciendo',
    done: 'Listo',
  },
  written: (written, size) => `${f.bytes(written)} de ${f.bytes(size)}`,
  video: 'Video',
  no_preview: 'Sin vista previa',
  cleaned: 'Se quitaron ubicación y nombres',
  size: {
    smaller: (before, after) => `${f.bytes(before)} → ${f.bytes(after)}`,
    send_original: 'Enviar el original',
    send_smaller: 'Enviar una más pequeña',
    busy: 'Reduciendo…',
    no_smaller: (name) => `${name} no se puede reducir. Se enviará el original.`,
  },
  duplicate: (name) => `${name} ya está en este reporte.`,
  too_many_pixels: (width, height) =>
    `El archivo dice medir ${f.number(width)} × ${f.number(height)} píxeles, más que cualquier cámara. Abrirlo podría llenar la memoria de esta computadora.`,
  ask: {
    damaged: (name) =>
      `${name} tiene daños. Spotter no puede quitarle la ubicación ni los datos personales.`,
    unknown_parts: (name) =>
      `${name} tiene un formato poco común. Spotter no puede quitarle la ubicación ni los datos personales.`,
    stopped: (name) =>
      `Leer ${name} tardaba demasiado y Spotter se detuvo. El archivo está a salvo. Puede agregarlo sin vista previa, con su ubicación y sus datos personales.`,
    add: 'Agregar de todos modos',
    leave_out: 'No agregar',
  },
  offer: {
    title: 'Hora de la foto',
    used: (local) => `Hora de la foto: ${capture.offer.time(local)}`,
    undo: 'Deshacer',
    time: (local) => {
      const at = new Date(local);
      return Number.isNaN(at.getTime()) ? local.replace('T', ' ') : f.moment(at.getTime());
    },
    no_zone: 'Del reloj de la cámara, que no indica zona horaria.',
    zone: (local, offset) =>
      offset === null
        ? `${local} en el reloj de la cámara, corregido con el GPS.`
        : `${local} en el reloj de la cámara (UTC${offset === 'Z' ? '' : offset}).`,
    use_time: 'Usar como hora',
    place: ({ latitude, longitude }, direction) => {
      const at = `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
      return direction === null ? at : `${at}, hacia ${Math.round(direction)}°`;
    },
    place_cleaned: 'Se quitó de la foto y no se envía. Haga clic para copiarlo.',
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
  no_network_text: 'se enviará cuando haya conexión.',
  saved: 'Guardado en esta laptop.',
  saved_changes: 'Cambios guardados en esta laptop.',
  open_it: 'Abrirlo',
  shortcut: 'Ctrl + Enter guarda',
  refused_title: 'El servidor rechazó este reporte.',
  refused_here: (says) => `El servidor dice: “${says}”.`,
  refused_todo: 'Corrija el reporte y guárdelo. Así se envía de nuevo.',
  cannot_save: 'Aún no se guardó.',
  fix: (n) => count(n, { one: '# campo por completar:', other: '# campos por completar:' }),
  camera: {
    title: 'Tomar una foto',
    close: 'Cerrar',
    starting: 'Iniciando la cámara…',
    shoot: 'Tomar la foto',
    done: 'Listo',
    other: 'Usar la otra cámara',
    choose: 'Elegir archivos',
    taken: (n) => count(n, { one: '# foto agregada', other: '# fotos agregadas' }),
    none: 'No se encontró una cámara en esta computadora. Puede elegir archivos de fotos.',
    denied:
      'Spotter no tiene permiso para usar la cámara. Permítalo en los ajustes de la computadora, o elija archivos de fotos.',
    busy: 'Otro programa está usando la cámara. Ciérrelo y reintente, o elija archivos de fotos.',
  },
  phone: {
    button: 'Del teléfono',
    title: 'Fotos desde un teléfono',
    starting: 'Preparando el código…',
    code: 'Código QR para el teléfono',
    steps: [
      'Conecte el teléfono al mismo Wi-Fi que esta laptop.',
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
      too_many: 'Demasiadas para un código',
      no_space: 'El disco de esta laptop está lleno',
      differs: 'Se dañó por el camino',
      other: 'No se agregó',
    },
    nothing: '¿El teléfono no puede abrir la página?',
    nothing_todo:
      'El teléfono y la laptop deben estar en el mismo Wi-Fi, y no en uno de invitados. Si la computadora preguntó si Spotter puede usar la red, permítalo. O active la zona Wi-Fi de esta laptop y conecte el teléfono a ella.',
    no_network:
      'Un teléfono no puede llegar a esta laptop: no está en ninguna red. Active la zona Wi-Fi de la laptop (Windows: Configuración, Red e Internet, Zona con cobertura inalámbrica móvil), conecte el teléfono a ella y reintente.',
    failed:
      'Spotter no puede usar esta red. Permítalo en el firewall de la computadora y reintente.',
    again: 'Reintentar',
    anew: 'Código nuevo',
    stop: 'Detener',
    another: 'Un segundo teléfono escaneó este código.',
    another_todo:
      'No puede ver ni enviar nada. Si el teléfono conectado no es el suyo, presione “Código nuevo”.',
    silent: 'El teléfono no está enviando.',
    silent_todo: 'Encienda su pantalla y deje la página abierta. El envío sigue donde se detuvo.',
    closed: {
      asked: 'El código venció: se bloqueó la pantalla o se abrió otra ventana.',
      idle: 'El código venció: no llegaron fotos en diez minutos.',
      refused: 'Otro dispositivo de esta red intentó entrar, así que el código se anuló.',
      window: 'El código venció: la computadora estaba en reposo.',
      account: 'El código venció: usted cerró la sesión.',
      failed: 'Se perdió la red.',
    },
  },
  camera_name: (at) => {
    const d = new Date(at);
    const two = (n: number) => String(n).padStart(2, '0');
    return `Foto ${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}${two(d.getMinutes())}${two(d.getSeconds())}.jpg`;
  },
};

export const capture_settings: Words['capture_settings'] = {
  title: 'Nuevos reportes',
  people: 'Nombrar personas',
  peoples: { off: 'Solo si se pide', on: 'Preguntar siempre' },
  people_notes: {
    off: 'El formulario no pregunta por la persona afectada hasta que usted quiera nombrarla.',
    on: 'La persona y la parte afectadas siempre están en el formulario.',
  },
  fields: 'Campos del formulario de este proyecto',
  fields_text:
    'Spotter encuentra estos campos por su nombre. Si su empresa llama a alguno de otra manera, elíjalo aquí.',
  parts: {
    severity: 'Gravedad potencial',
    where: 'Dónde',
    when: 'Cuándo',
    action: 'Acción inmediata',
  },
  by_label: (label) => (label === '' ? 'Por su nombre: ninguno' : `Por su nombre: ${label}`),
  no_field: 'Ninguno',
  keys: 'Teclas para un nuevo reporte',
  keys_choices: { on: (keys) => keys, off: 'Sin teclas' },
  keys_refused: (keys) => `Otro programa usa ${keys}, así que en Spotter no hacen nada.`,
  keys_none_free: 'Las otras combinaciones también están ocupadas.',
  keys_take: (keys) => `Usar ${keys}`,
  key_shift: 'Mayús',
  keys_notes: {
    on: 'Funcionan en cualquier programa mientras Spotter esté abierto, salvo que otro programa las use.',
    off: 'Alt + N siempre funciona en la ventana de Spotter.',
  },
  keys_browser:
    'Alt + N en la ventana de Spotter. Para usarlas en cualquier programa hace falta la aplicación de escritorio.',
};
