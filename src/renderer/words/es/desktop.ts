/** Los ajustes del programa de escritorio. */
import type { Words } from '../shape.ts';

export const desktop: Words['desktop'] = {
  title: 'Programa de escritorio',
  closing: 'Al cerrar la ventana con algo pendiente',
  closings: { ask: 'Preguntar', keep_sending: 'Seguir enviando', end: 'Salir' },
  closing_notes: {
    ask: 'Spotter pregunta qué hacer.',
    keep_sending:
      'Spotter envía desde la bandeja, sin su ventana, y termina cuando todo se ha enviado.',
    end: 'Lo pendiente queda seguro aquí y se envía la próxima vez que se abra Spotter.',
  },
  notices: 'Notificaciones',
  notice_choices: { on: 'Mostrarlas', off: 'No mostrar ninguna' },
  notice_notes: {
    on: 'Solo cuando hace falta usted, o cuando todo se envió mientras no estaba.',
    off: 'La ventana lo sigue diciendo.',
  },
  login: 'Al encender la computadora',
  login_choices: { off: 'No', on: 'Abrir Spotter' },
  login_notes: {
    off: 'Usted abre Spotter.',
    on: 'Lo pendiente se envía sin que nadie abra Spotter.',
  },
  update: 'Actualizaciones',
  update_states: {
    off: 'Este programa no las busca: quien se lo dio trae las nuevas versiones.',
    idle: 'No se conoce ninguna versión más nueva.',
    looking: 'Buscando una versión más nueva…',
    failed: 'La última búsqueda de una versión nueva no funcionó. No se cambió nada.',
  },
  update_fetching: (version) => `Se está descargando la versión ${version}.`,
  update_ready: (version) => `La versión ${version} ya está aquí. Se instala al cerrar Spotter.`,
  update_waits: 'Todavía se está enviando algo: eso va primero.',
  update_told: (version) =>
    `Hay una versión ${version}. La instala el gestor de paquetes de esta computadora.`,
  update_look: 'Buscar ahora',
  update_put_in: 'Instalar y volver a abrir',
  spelling: 'Ortografía',
  spelling_choices: { off: 'No revisar', on: 'Revisar al escribir' },
  spelling_notes: {
    off: 'No se descarga nada de nadie.',
    on: 'Descarga una vez un diccionario de Google. Se aplica la próxima vez que se abra Spotter.',
  },
};
