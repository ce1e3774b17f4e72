/** The shell's own words in Spanish. */
import type { words as english } from './en.ts';

const near_misses = (n: number): string => (n === 1 ? '1 casi accidente' : `${n} casi accidentes`);

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
    service_docs: 'Documentación de la API',
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
    waiting: (n: number) => (n === 0 ? 'No hay nada pendiente' : `${near_misses(n)} por enviar`),
  },
  cannot_run: {
    title: 'Spotter no puede abrirse',
    stopped: 'Spotter se detuvo',
    already_running: {
      what: 'Spotter ya está abierto con esta carpeta de datos.',
      safe: 'No se perdió nada.',
      todo: 'Cierre el otro Spotter e intente de nuevo.',
    },
    no_space: {
      what: 'El disco está lleno.',
      safe: 'Lo que guardó antes está a salvo.',
      todo: 'Libere espacio e intente de nuevo.',
    },
    unusable_folder: {
      what: 'No se puede usar la carpeta de datos.',
      safe: 'No se cambió nada en ella.',
      todo: 'Revise que la carpeta exista y que usted pueda escribir en ella, e intente de nuevo.',
    },
    damaged: {
      what: 'Esta instalación de Spotter está dañada: falta una parte del programa.',
      safe: 'Lo que guardó está a salvo.',
      todo: 'Instale Spotter otra vez. Su carpeta de datos no cambia.',
    },
    no_sandbox: {
      what: 'Este sistema no deja que Spotter proteja su ventana, así que Spotter no se abre.',
      safe: 'Lo que guardó está a salvo.',
      todo: 'Instale el paquete de Spotter para su sistema (deb o rpm) en lugar del AppImage, o pregunte a su administrador.',
    },
    lost_folder: {
      what: 'Spotter se detuvo: tal vez otro Spotter está usando su carpeta de datos.',
      safe: 'Lo que guardó está a salvo.',
      todo: 'Cierre el otro Spotter e intente de nuevo.',
    },
    again: 'Intentar de nuevo',
    quit: 'Salir',
  },
  closing: {
    message: (n: number) =>
      n === 1 ? 'Falta enviar 1 casi accidente.' : `Faltan por enviar ${n} casi accidentes.`,
    detail:
      'De cualquier modo están a salvo en esta laptop. Spotter puede seguir enviando en segundo plano, o enviarlos la próxima vez que lo abra.',
    keep_sending: 'Seguir enviando',
    end: 'Salir ahora',
    cancel: 'Cancelar',
    remember: 'Hacerlo siempre',
    copying: 'Todavía se están copiando fotos o archivos a esta laptop.',
    copying_detail:
      'Los que aún no se han copiado se pierden si cierra Spotter ahora. Espere a que el formulario los muestre todos.',
    stay: 'Esperar',
    close_anyway: 'Cerrar de todos modos',
  },
  stopped: {
    message: 'La ventana de Spotter se detuvo tres veces en un minuto.',
    detail: 'Lo que guardó está a salvo en esta laptop, en la carpeta de abajo.',
    again: 'Abrirla de nuevo',
    folder: 'Mostrar la carpeta',
    quit: 'Salir',
  },
  graphics: {
    message: 'El controlador gráfico de esta computadora se detuvo dos veces en un minuto.',
    detail:
      'Spotter puede funcionar sin él, un poco más lento. Lo que guardó está a salvo, y lo que está escribiendo queda como borrador. Puede cambiarlo en Ajustes, en Aplicación de escritorio.',
    turn_off: 'Reiniciar sin él',
    keep: 'Ahora no',
  },
  uncaught: {
    message: 'Spotter encontró un error inesperado y tiene que cerrarse.',
    detail:
      'Lo que guardó está a salvo, y lo que está escribiendo queda como borrador. Abra Spotter de nuevo para seguir. Los detalles ayudan a su soporte técnico y pueden contener nombres de archivos.',
    quit: 'Salir',
    copy: 'Copiar los detalles y salir',
  },
  hangs: {
    message: 'La ventana de Spotter no responde.',
    detail:
      'Puede esperar o volver a cargarla. Lo que guardó está a salvo, y lo que está escribiendo se conserva como borrador.',
    wait: 'Esperar',
    again: 'Volver a cargar',
  },
  notice: {
    parked: (n: number) => ({
      title:
        n === 1
          ? 'Un casi accidente necesita su atención'
          : `${n} casi accidentes necesitan su atención`,
      body: 'Abra Pendientes para ver por qué. Todo está a salvo en esta laptop.',
    }),
    signed_out: {
      title: 'Inicie sesión de nuevo',
      body: 'Los reportes pendientes están a salvo en esta laptop.',
    },
    keychain: {
      title: 'El llavero necesita su atención',
      body: 'Desbloquee el llavero para seguir enviando. Los reportes pendientes están a salvo.',
    },
    all_sent: { title: 'Todo se envió', body: 'No hay nada pendiente.' },
    due: (n) => ({
      title: n === 1 ? 'Un seguimiento para hoy o antes' : `${n} seguimientos para hoy o antes`,
      body: 'Abra la lista para ver qué hay que hacer.',
    }),
  },
  pdf: { title: 'Guardar como PDF', failed: 'No se pudo guardar el PDF.' },
};
