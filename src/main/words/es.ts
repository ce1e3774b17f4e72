/** The shell's own words in Spanish. */
import type { words as english } from './en.ts';

const incidents = (n: number): string => (n === 1 ? '1 casi accidente' : `${n} casi accidentes`);

export const words: typeof english = {
  menu: {
    file: 'Archivo',
    edit: 'Edición',
    view: 'Ver',
    go: 'Ir',
    window: 'Ventana',
    help: 'Ayuda',
    new_near_miss: 'Nuevo reporte',
    import: 'Importar…',
    export: 'Exportar…',
    print: 'Imprimir…',
    save_pdf: 'Guardar como PDF…',
    settings: 'Ajustes…',
    close: 'Cerrar ventana',
    quit: 'Salir de Spotter',
    undo: 'Deshacer',
    redo: 'Rehacer',
    cut: 'Cortar',
    copy: 'Copiar',
    paste: 'Pegar',
    paste_plain: 'Pegar sin formato',
    delete: 'Eliminar',
    select_all: 'Seleccionar todo',
    find: 'Buscar casi accidentes',
    near_misses: 'Casi accidentes',
    waiting: 'Pendientes',
    reload: 'Volver a cargar la ventana',
    actual_size: 'Tamaño real',
    zoom_in: 'Más grande',
    zoom_out: 'Más pequeño',
    full_screen: 'Pantalla completa',
    developer_tools: 'Herramientas de desarrollo',
    minimize: 'Minimizar',
    zoom: 'Ampliar',
    front: 'Traer todo al frente',
    about: 'Acerca de Spotter',
    services: 'Servicios',
    hide: 'Ocultar Spotter',
    hide_others: 'Ocultar los demás',
    show_all: 'Mostrar todo',
    keys: 'Ayuda y teclas',
    service_docs: 'Documentación del servicio de este equipo',
    diagnostics: 'Copiar el diagnóstico',
  },
  context: {
    no_suggestion: 'Sin sugerencias',
    copy_picture: 'Copiar imagen',
    save_picture: 'Guardar imagen…',
    copy_link: 'Copiar enlace',
  },
  tray: {
    newer: (version) => `Hay una versión ${version}`,
    show: 'Abrir Spotter',
    waiting: (n: number) => (n === 0 ? 'No hay nada en espera' : `${incidents(n)} en espera`),
  },
  cannot_run: {
    title: 'Spotter no puede iniciarse',
    stopped: 'Spotter se ha detenido',
    already_running: {
      what: 'Spotter ya está abierto con esta carpeta de datos.',
      safe: 'No se ha perdido nada: lo que guardó está ahí.',
      todo: 'Cierre el otro Spotter (su ventana o el programa que la sirve) e inténtelo de nuevo.',
    },
    no_space: {
      what: 'El disco está lleno.',
      safe: 'Lo que guardó antes sigue intacto.',
      todo: 'Libere espacio e inténtelo de nuevo.',
    },
    unusable_folder: {
      what: 'No se puede usar la carpeta de datos.',
      safe: 'No se ha cambiado nada en ella.',
      todo: 'Compruebe que la carpeta existe y que se puede escribir en ella, e inténtelo de nuevo.',
    },
    damaged: {
      what: 'Esta instalación de Spotter está dañada: falta una parte del programa.',
      safe: 'Lo que guardó no forma parte del programa y sigue intacto.',
      todo: 'Vuelva a instalar Spotter. Su carpeta de datos queda como está.',
    },
    lost_folder: {
      what: 'Spotter se ha detenido: puede que otro Spotter esté usando su carpeta de datos.',
      safe: 'Lo que guardó sigue intacto.',
      todo: 'Cierre el otro Spotter e inténtelo de nuevo.',
    },
    again: 'Intentar de nuevo',
    quit: 'Salir',
  },
  closing: {
    message: (n: number) =>
      n === 1
        ? '1 casi accidente aún espera a ser enviado.'
        : `${n} casi accidentes aún esperan a ser enviados.`,
    detail:
      'Están guardados en este equipo y seguros en ambos casos. Spotter puede seguir enviando sin su ventana, o enviarlos la próxima vez que se abra.',
    keep_sending: 'Seguir enviando',
    end: 'Salir ahora',
    cancel: 'Cancelar',
    remember: 'Hacer esto siempre',
  },
  stopped: {
    message: 'La ventana de Spotter se detuvo tres veces en un minuto.',
    detail: 'Lo que guardó está seguro en este equipo, en la carpeta indicada abajo.',
    again: 'Abrirla de nuevo',
    folder: 'Mostrar la carpeta',
    quit: 'Salir',
  },
  hangs: {
    message: 'La ventana de Spotter no responde.',
    detail:
      'Puede esperar o volver a cargarla. Lo que guardó está seguro; lo que está escribiendo se conserva como borrador.',
    wait: 'Esperar',
    again: 'Volver a cargar',
  },
  notice: {
    parked: (n: number) => ({
      title: n === 1 ? 'Un casi accidente le necesita' : `${n} casi accidentes le necesitan`,
      body: 'El servidor no lo aceptó tal como está. Está seguro en este equipo.',
    }),
    signed_out: {
      title: 'Inicie sesión para seguir enviando',
      body: 'Lo que espera está seguro en este equipo.',
    },
    keychain: {
      title: 'El llavero le necesita',
      body: 'Spotter no puede leer su token hasta que se desbloquee el llavero. Lo que espera está seguro.',
    },
    all_sent: { title: 'Todo se ha enviado', body: 'Ya no hay nada en espera.' },
    due: (n) => ({
      title: n === 1 ? 'Un seguimiento está por atender' : `${n} seguimientos están por atender`,
      body: 'Abra la lista para ver qué hay que hacer.',
    }),
  },
  pdf: { title: 'Guardar como PDF', failed: 'No se pudo escribir el PDF.' },
};
