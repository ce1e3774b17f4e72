/** The settings. */
import { languageNames } from '../../../contract/languages.ts';
import { always } from '../always.ts';
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
  vault_memory: 'Se guarda hasta que cierre Spotter. No se encontró un llavero.',
  vault_asking:
    'Se guarda hasta que cierre Spotter, o en el llavero de esta computadora en cuanto usted lo permita.',
  vault_none: 'No hace falta en esta laptop.',
  sign_out: 'Cerrar sesión',
  sign_out_title: '¿Cerrar sesión?',
  sign_out_text: (n) =>
    n === 0
      ? 'Spotter olvida el token. Sus datos se quedan en esta laptop.'
      : count(n, {
          one: 'Spotter olvida el token. # elemento sigue pendiente, a salvo en esta laptop. Spotter lo envía cuando el mismo usuario inicie sesión de nuevo.',
          other:
            'Spotter olvida el token. # elementos siguen pendientes, a salvo en esta laptop. Spotter los envía cuando el mismo usuario inicie sesión de nuevo.',
        }),
  signed_out: 'Sesión cerrada.',
  theme: 'Tema',
  themes: { system: 'Como la computadora', light: 'Claro', dark: 'Oscuro' },
  theme_notes: {
    system: 'Igual que esta computadora',
    light: 'Mejor bajo el sol',
    dark: 'Más cómodo de noche',
  },
  language: 'Idioma',
  languages: { system: 'Como la computadora', ...languageNames },
  language_notes: {
    system: 'Igual que esta computadora',
    ...always,
  },
  language_saved: 'Spotter hablará el nuevo idioma cuando se vuelva a cargar su ventana.',
  language_now: 'Cargarla ahora',
  sections: 'Secciones',
  parts: { capture: 'Formulario', photos: 'Privacidad y tamaño de fotos' },
  choose: 'Apariencia e idioma',
  storage: {
    title: 'Espacio en esta laptop',
    photos: 'Fotos',
    rest: 'Todo lo demás',
    database: 'Reportes, borradores y miniaturas',
    journal: 'Respaldo de los reportes pendientes',
    journal_value: (size, entries) =>
      entries === 0 ? bytes(size) : `${bytes(size)}, ${items(entries)}`,
    unknown: 'no disponible por ahora',
    room: 'Espacio libre en este disco',
    text: 'Los reportes pendientes nunca se quitan para hacer espacio. Elija arriba cuánto tiempo se quedan las fotos entregadas.',
    measuring: 'Revisando…',
  },
  copies: {
    title: 'Respaldos diarios',
    text: 'Spotter respalda los reportes de esta laptop una vez al día y conserva los últimos siete respaldos. Si algo sale muy mal, restaure uno de ellos. Las fotos no van en los respaldos. Se quedan donde están.',
    looking: 'Buscando respaldos…',
    none: 'Todavía no hay ningún respaldo. Spotter hace uno cada día que está abierto.',
    unknown: 'Por ahora no se pudieron leer los respaldos.',
    restore: 'Restaurar…',
    restore_of: (at) => `Restaurar el respaldo del ${f.moment(at)}…`,
    ask: '¿Restaurar este respaldo?',
    ask_text: (at) => `Los reportes de esta laptop quedarán como estaban el ${f.moment(at)}.`,
    gone: 'Todo lo que se guardó o cambió en esta laptop después se perderá.',
    waiting: 'Los reportes pendientes se quedan y se envían después.',
    aside: 'No se elimina nada. Spotter pasa los reportes actuales a una carpeta aparte.',
    go: 'Restaurar',
    working: (at) => `Restaurando el respaldo del ${f.moment(at)}. No cierre Spotter…`,
    done: (at) => `Listo. Los reportes están como estaban el ${f.moment(at)}.`,
    done_text: (folder) => `Los reportes de antes se guardan en la carpeta ${folder}.`,
    not_running: 'Spotter todavía no se reinicia por completo. Lo sigue intentando.',
    failed: 'No se restauró el respaldo.',
  },
  everything: {
    title: 'Exportar e importar',
    text: 'Todo su trabajo en esta laptop en un archivo: reportes pendientes, borradores, sus fotos y estos ajustes. El archivo no contiene el token de acceso.',
    export: 'Exportar todo',
    import: 'Importar',
    exporting: (done) => `Guardando el archivo: ${bytes(done)}`,
    exporting_of: (done, size) => `Guardando el archivo: ${bytes(done)} de unos ${bytes(size)}`,
    stop: 'Detener',
    stopped: 'Detenido. No se guardó ningún archivo.',
    exported: (name) => `${name} está en sus descargas.`,
    failed: 'No se pudo guardar el archivo. En esta laptop no cambió nada.',
    needs_connection:
      'Primero conéctese. Spotter envía los reportes importados a nombre de quien inició sesión.',
    opened: (name) => `${name} está listo para importar.`,
    look: 'Verlo',
    offer_title: '¿Importar este archivo?',
    from: (at) => `Exportado: ${f.moment(at)}.`,
    take: 'Importar',
    waiting: (n, m, size) =>
      m === 0
        ? `Pendientes: ${items(n)}`
        : `Pendientes: ${items(n)} con ${photos(m)}, ${bytes(size)}`,
    drafts: (n, m) =>
      m === 0 ? `Borradores: ${f.number(n)}` : `Borradores: ${f.number(n)} con ${photos(m)}`,
    settings: 'Ajustes: idioma, tema, fotos',
    nothing: 'El archivo no contiene nada que importar.',
    go: 'Importar',
    photo: (k, n) => `Foto ${f.number(k)} de ${f.number(n)}`,
    done: (waiting, drafts, settings) =>
      waiting + drafts === 0 && !settings
        ? 'Todo lo del archivo ya está aquí.'
        : `Importado: ${[
            ...(waiting > 0 ? [items(waiting)] : []),
            ...(drafts > 0 ? [count(drafts, { one: '# borrador', other: '# borradores' })] : []),
            ...(settings ? ['ajustes'] : []),
          ].join(', ')}.`,
  },
  about: 'Acerca de Spotter',
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
  copy_hint: 'Versiones y cantidades como texto. Sin token, nombres ni descripciones.',
  copied: 'Diagnóstico copiado.',
  diagnostics: 'Diagnóstico',
  show_diagnostics: 'Mostrar el diagnóstico',
  licences: {
    show: 'Licencias de terceros',
    about:
      'Spotter tiene la licencia MIT. Está hecho con los paquetes de abajo, cada uno con su propia licencia.',
    replace:
      'libheif (imágenes HEIC) y libvips (imágenes pequeñas) tienen la licencia LGPL. Cada una es un archivo aparte y se puede cambiar por otra: libheif es libheif.js en la carpeta de la ventana, libvips está en node_modules/@img. LICENSES.txt, en la carpeta del programa, dice cómo.',
    find: 'Buscar un paquete o una licencia',
    found: (n: number) => count(n, { one: '# paquete', other: '# paquetes' }),
    none: 'Nada coincide.',
    no_text: 'Este paquete no trae el texto de su licencia.',
    failed: 'No se pudo leer la lista. Abra esta sección otra vez.',
  },
  copy_failed: 'No se pudo copiar. Seleccione el texto y cópielo a mano.',
  saved: 'Ajuste guardado.',
};
