/** The settings: what they are about, what this laptop keeps, what to tell whoever looks after the app, everything in and out. */
import type { Words } from '../shape.ts';
import { bytes, count, f, items, photos } from './say.ts';

export const settings: Words['settings'] = {
  title: 'Ajustes',
  connection: 'Conexión',
  place: 'Los casi accidentes van a',
  company: 'Empresa',
  project: 'Proyecto',
  user: 'Sesión iniciada como',
  change: 'Cambiar la conexión',
  token: 'Token',
  vault_keychain: 'Guardado en el llavero de esta computadora.',
  vault_memory: 'Se guarda hasta que cierre Spotter. No se encontró un llavero utilizable.',
  vault_asking:
    'Se guarda hasta que cierre Spotter, o en el llavero de esta computadora en cuanto deje entrar a Spotter.',
  vault_none: 'El servicio propio de esta laptop no le pide ningún token.',
  sign_out: 'Cerrar sesión',
  sign_out_title: '¿Cerrar sesión?',
  sign_out_text: (n) =>
    n === 0
      ? 'Spotter olvida el token. Lo que ha visto se queda en esta laptop.'
      : count(n, {
          one: 'Spotter olvida el token. # elemento sigue pendiente; queda a salvo en esta laptop y se envía cuando la misma persona inicie sesión de nuevo.',
          other:
            'Spotter olvida el token. # elementos siguen pendientes; quedan a salvo en esta laptop y se envían cuando la misma persona inicie sesión de nuevo.',
        }),
  signed_out: 'Sesión cerrada.',
  theme: 'Tema',
  themes: { system: 'Como el sistema', light: 'Claro', dark: 'Oscuro' },
  theme_notes: {
    system: 'Sigue a esta computadora',
    light: 'Mejor bajo el sol',
    dark: 'Más cómodo de noche',
  },
  language: 'Idioma',
  languages: { system: 'Como el sistema', en: 'English', es: 'Español' },
  language_notes: {
    system: 'El que lee quien usa esta computadora',
    en: 'Always English',
    es: 'Siempre en español',
  },
  sections: 'Partes de los ajustes',
  parts: { capture: 'El formulario', photos: 'Privacidad y tamaño de fotos' },
  choose: 'Apariencia e idioma',
  storage: {
    title: 'Espacio en esta laptop',
    photos: 'Fotos',
    rest: 'Todo lo demás',
    database: 'Registros, borradores y miniaturas',
    journal: 'Segunda copia de lo pendiente',
    journal_value: (size, entries) =>
      entries === 0 ? bytes(size) : `${bytes(size)}, ${items(entries)}`,
    unknown: 'por ahora no se sabe',
    room: 'Libre para Spotter',
    text: 'Lo pendiente nunca se quita para hacer espacio. Las fotos entregadas se van cuando pasan sus días: “Fotos entregadas en esta laptop” dice cuándo.',
    measuring: 'Revisando…',
  },
  copies: {
    title: 'Copias diarias',
    text: 'Una vez al día Spotter copia los registros del servicio propio de esta laptop y guarda las últimas siete copias. Si los registros se dañan o algo salió muy mal, vuelva a una de ellas. Las fotos no van en las copias: se quedan donde están.',
    looking: 'Buscando copias…',
    none: 'Todavía no hay ninguna copia. Spotter hace una cada día que está abierto.',
    unknown: 'Por ahora no se pudieron leer las copias.',
    restore: 'Restaurar…',
    restore_of: (at) => `Restaurar la copia del ${f.moment(at)}…`,
    ask: '¿Volver a esta copia?',
    ask_text: (at) => `Los registros de esta laptop quedarán como estaban el ${f.moment(at)}.`,
    gone: 'Lo que se anotó, cambió o entregó al servicio de esta laptop después de ese momento ya no estará en él.',
    waiting: 'Lo pendiente de enviar se queda y se envía después.',
    aside: 'No se borra nada: los registros de ahora se apartan en una carpeta propia.',
    go: 'Restaurar',
    working: (at) => `Volviendo a la copia del ${f.moment(at)}. No cierre Spotter…`,
    done: (at) => `Listo. Los registros están como estaban el ${f.moment(at)}.`,
    done_text: (folder) => `Los registros de antes se guardan al lado, en la carpeta ${folder}.`,
    not_running:
      'El servicio de esta laptop todavía no arrancó de nuevo. Spotter lo sigue intentando.',
    failed: 'No se restauró la copia.',
  },
  everything: {
    title: 'Exportar e importar',
    text: 'Todo lo suyo en esta laptop en un archivo: lo pendiente, lo que empezó y no guardó, las fotos de ambos y estos ajustes. El token de acceso no va incluido.',
    export: 'Exportar todo',
    import: 'Importar',
    exporting: (done) => `Escribiendo el archivo: ${bytes(done)}`,
    exporting_of: (done, size) => `Escribiendo el archivo: ${bytes(done)} de unos ${bytes(size)}`,
    stop: 'Detener',
    stopped: 'Detenido. No se escribió ningún archivo.',
    exported: (name) => `${name} está en sus descargas.`,
    failed: 'No se pudo escribir el archivo. En esta laptop no cambió nada.',
    needs_connection:
      'Primero conéctese: lo que se importa se suma a los pendientes de quien inició sesión.',
    offer_title: '¿Importar este archivo?',
    from: (at) => `Exportado: ${f.moment(at)}.`,
    take: 'Qué traer',
    waiting: (n, m, size) =>
      m === 0
        ? `Lo pendiente: ${items(n)}`
        : `Lo pendiente: ${items(n)} con ${photos(m)}, ${bytes(size)}`,
    drafts: (n, m) =>
      m === 0 ? `Borradores: ${f.number(n)}` : `Borradores: ${f.number(n)} con ${photos(m)}`,
    settings: 'Ajustes: idioma, tema, fotos',
    nothing: 'El archivo no contiene nada que se pueda traer aquí.',
    go: 'Importar',
    photo: (k, n) => `Foto ${f.number(k)} de ${f.number(n)}`,
    done: (waiting, drafts, settings) =>
      waiting + drafts === 0 && !settings
        ? 'Todo lo que contiene ya está aquí.'
        : `Importado: ${[
            ...(waiting > 0 ? [items(waiting)] : []),
            ...(drafts > 0 ? [count(drafts, { one: '# borrador', other: '# borradores' })] : []),
            ...(settings ? ['ajustes'] : []),
          ].join(', ')}.`,
  },
  about: 'Acerca de esta instalación',
  version: 'Versión de Spotter',
  shell: 'Se abre en',
  shells: {
    electron: 'su propia ventana',
    browser: 'una ventana del navegador',
    test: 'una prueba',
  },
  platform: 'Sistema',
  node: 'Node',
  waiting: 'Pendientes',
  waiting_none: 'nada',
  copy: 'Copiar el diagnóstico',
  copy_hint: 'Versiones, estados y cantidades como texto. Sin token, nombres ni descripciones.',
  copied: 'Diagnóstico copiado.',
  diagnostics: 'Diagnóstico',
  show_diagnostics: 'Mostrarlo aquí',
  licences: {
    show: 'Licencias de las partes de otros',
    about:
      'Spotter tiene la licencia MIT. Está hecho con los paquetes de abajo, cada uno con su propia licencia.',
    replace:
      'libheif (imágenes HEIC) y libvips (imágenes pequeñas) tienen la licencia LGPL. Cada una es un archivo aparte y se puede cambiar por otra: libheif es libheif.js en la carpeta de la ventana, libvips está en node_modules/@img. LICENSES.txt, en la carpeta del programa, dice cómo.',
    find: 'Buscar un paquete o una licencia',
    found: (n: number) => count(n, { one: '# paquete', other: '# paquetes' }),
    none: 'Ningún paquete de otros lleva esto en su nombre o licencia.',
    no_text: 'Este paquete viene sin el texto de su licencia.',
    failed: 'No se pudo leer la lista. Abra esta parte otra vez.',
  },
  copy_failed: 'No se pudo copiar. Seleccione el texto y cópielo a mano.',
  saved: 'Ajuste guardado.',
};
