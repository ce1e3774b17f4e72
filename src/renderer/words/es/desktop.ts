/** The settings of the desktop program. */
import type { Words } from '../shape.ts';

export const desktop: Words['desktop'] = {
  title: 'Aplicación de escritorio',
  closing: 'Al cerrar la ventana con reportes pendientes',
  closings: { ask: 'Preguntar', keep_sending: 'Seguir enviando', end: 'Salir' },
  closing_notes: {
    ask: 'Spotter pregunta qué hacer.',
    keep_sending: 'Spotter sigue enviando desde la bandeja y se cierra cuando todo se envió.',
    end: 'Los reportes pendientes quedan a salvo aquí y se envían la próxima vez que abra Spotter.',
  },
  notices: 'Notificaciones',
  notice_choices: { on: 'Sí', off: 'No' },
  notice_notes: {
    on: 'Solo cuando algo requiere su atención, o cuando todo se envió mientras no estaba.',
    off: 'Lo sigue viendo en la ventana.',
  },
  login: 'Abrir al encender la computadora',
  login_choices: { off: 'No', on: 'Sí' },
  login_notes: {
    off: 'Usted abre Spotter.',
    on: 'Los reportes pendientes se envían sin que nadie abra Spotter.',
  },
  update: 'Actualizaciones',
  update_states: {
    off: 'Las actualizaciones están apagadas. Las versiones nuevas se las da quien le dio Spotter.',
    idle: 'Spotter está al día.',
    looking: 'Buscando actualizaciones…',
    failed: 'No se pudieron buscar actualizaciones. No se cambió nada.',
  },
  update_fetching: (version) => `Descargando la versión ${version}.`,
  update_ready: (version) => `La versión ${version} está lista. Se instala al salir de Spotter.`,
  update_waits: 'Spotter todavía está enviando. Primero termina eso.',
  update_told: (version) =>
    `Hay una versión ${version}. La instala quien administra esta computadora, o su gestor de paquetes.`,
  update_look: 'Buscar ahora',
  update_put_in: 'Instalar y reiniciar',
  spelling: 'Ortografía',
  spelling_choices: { off: 'No', on: 'Revisar al escribir' },
  spelling_notes: {
    off: 'No se descarga nada.',
    on: 'Descarga una vez un diccionario de Google. Funciona la próxima vez que abra Spotter.',
  },
};
