/** Every problem of the contract: what happened, what is safe, what to do. Which is said when: problems.ts. */
import type { Words } from '../shape.ts';
import { count, f, span } from './say.ts';

export const problem: Words['problem'] = {
  here: 'Todo está a salvo en esta laptop.',
  kept: 'Su versión se conserva en esta laptop.',
  retried: 'Spotter reintenta por sí solo.',
  fields: {
    access_level: 'nivel de acceso',
    address: 'dirección',
    affected_company: 'empresa afectada',
    affected_party: 'parte afectada',
    affected_person: 'persona afectada',
    company: 'empresa',
    description: 'descripción',
    effective_date: 'inicio de vigencia',
    expiration_date: 'fin de vigencia',
    harm_source: 'fuente de daño',
    incident: 'trabajo o zona',
    insurance_provider: 'aseguradora',
    insurance_type: 'tipo de seguro',
    limit: 'límite',
    managed_equipment: 'equipo',
    policy_number: 'número de póliza',
    project: 'proyecto',
    title: 'título',
    token: 'token',
    vendor: 'proveedor',
    work_activity: 'actividad',
  },
  custom_field: (id) => `campo ${id}`,
  quoted: (message) => `“${message}”`,
  row_field: (n, field) => `fila ${f.number(n)}, ${field}`,
  field_says: (field, message) => `${field}: “${message}”`,
  server_says: (says) => `El servidor dice: ${says}.`,
  offline: {
    refused: 'El servidor no responde.',
    dns: 'No se encontró el nombre del servidor en esta red.',
    reset: 'Se cortó la conexión.',
    unreachable: 'No hay conexión con el servidor.',
    tls: 'El certificado del servidor no es válido; no se le envió nada.',
    proxy: 'El proxy de esta red no deja pasar a Spotter: consulte a su oficina.',
  },
  offline_todo: 'Se envía solo cuando vuelva la conexión.',
  timeout: 'El servidor tardó demasiado en responder.',
  timeout_todo: 'Spotter reintenta por sí solo. Nada se envía dos veces.',
  signed_out: 'El servidor ya no acepta el token.',
  signed_out_todo: 'Inicie sesión de nuevo para enviar.',
  forbidden: 'No tiene permiso para hacer esto en este proyecto.',
  forbidden_todo: 'Pida acceso a quien lleva el proyecto y envíelo de nuevo.',
  too_large: 'El servidor dice que es demasiado grande.',
  too_large_todo: 'Acorte el texto o reduzca la foto y envíelo de nuevo.',
  refused: 'El servidor no lo aceptó.',
  refused_todo: 'Corríjalo y envíelo de nuevo.',
  conflict: 'Alguien más lo cambió mientras tanto.',
  conflict_todo: 'Ábralo, compare las dos versiones y envíelo de nuevo.',
  gone: 'El servidor ya no lo tiene.',
  gone_todo: 'Expórtelo o retírelo.',
  unsure: (records) =>
    count(records, {
      one: 'Se cortó la conexión durante el envío. El servidor tiene un registro con el mismo texto.',
      other:
        'Se cortó la conexión durante el envío. El servidor tiene # registros con el mismo texto.',
    }),
  unsure_todo:
    'Diga si uno de ellos es este. Hasta entonces no se envía de nuevo, para que nada quede registrado dos veces.',
  no_photo_place: 'Este servidor no recibe fotos en los casi accidentes.',
  no_photo_place_todo: 'Elija en Ajustes a dónde van las fotos, o expórtelas.',
  photos_stay:
    'Este servidor no recibe fotos en los casi accidentes. Según su ajuste, se quedan en esta laptop.',
  photos_stay_todo: 'Expórtelas o elija otro lugar para las fotos en Ajustes.',
  photos_safe: 'El texto se entregó. Las fotos están a salvo en esta laptop.',
  busy: 'El servidor pide a todos ir más despacio.',
  busy_todo: (ms) => `Spotter reintenta en ${span(ms)}.`,
  server_error: 'El servidor tiene una falla propia.',
  portal:
    'Algo entre esta laptop y el servidor responde en su lugar, como la página de acceso de una red Wi-Fi.',
  portal_todo: 'Inicie sesión en el Wi-Fi o use otra red. El envío sigue solo.',
  garbled: 'No se entendió la respuesta del servidor.',
  garbled_todo: 'Spotter reintenta por sí solo. Si sigue así, revise la dirección del servidor.',
  cancelled: 'Se detuvo.',
  cancelled_todo: 'Envíelo de nuevo cuando quiera.',
  not_connected: 'Spotter todavía no está conectado a un servidor.',
  not_connected_todo: 'Abra Ajustes y conéctese.',
  vault: {
    absent: 'Esta computadora no tiene un llavero que Spotter pueda usar.',
    locked: 'El llavero está bloqueado.',
    asking: 'El llavero todavía no responde. Tal vez esta computadora le está preguntando a usted.',
    hung: 'El llavero no responde.',
    denied: 'El llavero se negó.',
    too_long: 'El token es demasiado largo para el llavero.',
  },
  vault_todo:
    'Desbloquee el llavero y presione Reintentar. Mientras tanto puede seguir trabajando.',
  vault_too_long_todo: 'Pida un token más corto.',
  no_space: 'El disco está lleno. Esto no se guardó.',
  no_space_safe: 'Lo que guardó antes está intacto.',
  no_space_todo: 'Libere espacio y guarde de nuevo. Su texto sigue en el formulario.',
  photo: {
    missing: 'El archivo de la foto ya no está en esta laptop.',
    changed: 'El archivo de la foto cambió en esta laptop desde que se agregó.',
    unreadable: 'No se pudo leer la foto.',
  },
  photo_safe: 'El texto del casi accidente no se ve afectado.',
  photo_todo: 'Agregue la foto de nuevo, o envíe sin ella.',
  bad_input: 'Esto no se puede enviar así.',
  bad_input_at: (fields) => `Esto no se puede enviar así. Revise: ${f.list(fields)}.`,
  bad_input_todo: 'Corríjalo y reintente.',
  input: {
    address_missing: 'Escriba la dirección del servidor, por ejemplo https://safety.example.com.',
    address_unreadable: 'Esto no es una dirección.',
    address_scheme: 'La dirección debe empezar con https:// (o http:// dentro de su propia red).',
    address_login: 'Quite de la dirección el usuario y la contraseña.',
    address_query: 'Quite de la dirección todo desde el signo de interrogación o el de número.',
    address_unprotected:
      'Su token iría sin protección por internet: use https:// para este servidor.',
    company_unknown: 'Este token no pertenece a la empresa con este número.',
    project_unknown: 'El servidor no tiene ese proyecto para este token.',
    copies_elsewhere: 'Aquí solo el servicio propio de esta laptop tiene copias diarias.',
    copy_unknown: 'Esta copia ya no está. Elija otra.',
    copy_damaged: 'Esta copia está dañada y no se usó. Elija otra.',
    copy_failed: 'No se pudo poner la copia en su lugar. Los registros están como estaban.',
    file_pdf:
      'El archivo es un PDF. Las fotos pueden ser JPEG, PNG, WebP, HEIC o HEIF; los videos, MP4 o MOV.',
    file_text:
      'El archivo es de texto o SVG. Las fotos pueden ser JPEG, PNG, WebP, HEIC o HEIF; los videos, MP4 o MOV.',
    file_gif:
      'El archivo es un GIF. Las fotos pueden ser JPEG, PNG, WebP, HEIC o HEIF; los videos, MP4 o MOV.',
    file_archive:
      'El archivo es un archivo comprimido. Las fotos pueden ser JPEG, PNG, WebP, HEIC o HEIF; los videos, MP4 o MOV.',
    file_avif:
      'El archivo es un AVIF. Las fotos pueden ser JPEG, PNG, WebP, HEIC o HEIF; los videos, MP4 o MOV.',
    file_avi:
      'El archivo es un video AVI. Las fotos pueden ser JPEG, PNG, WebP, HEIC o HEIF; los videos, MP4 o MOV.',
    file_unknown:
      'Spotter no conoce este tipo de archivo. Las fotos pueden ser JPEG, PNG, WebP, HEIC o HEIF; los videos, MP4 o MOV.',
    file_empty: 'El archivo está vacío.',
    file_too_large: 'El archivo es más grande de lo que Spotter recibe.',
    file_cut_short:
      'El archivo cambió mientras se leía, o no se pudo leer hasta el final. Agréguelo de nuevo.',
    file_known:
      'Otra foto ya ocupa el lugar de esta aquí. Lo que está aquí se queda como está; agregue el archivo de nuevo.',
    file_begun_anew: 'Spotter se reinició mientras se agregaba el archivo. Agréguelo de nuevo.',
  },
  bug: 'Spotter cometió un error propio.',
  bug_todo:
    'Reintente. Si sigue así, copie el diagnóstico en Ajustes y envíelo a quien cuida de Spotter.',
};
