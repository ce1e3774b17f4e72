/** The settings of the desktop program. */
import type { Words } from '../shape.ts';

export const desktop: Words['desktop'] = {
  by_company: 'Lo decide su empresa',
  policy_ignored: (names) =>
    `Spotter no puede leer una parte de los ajustes de su empresa (${names}) y usa los de usted. Sus reportes están a salvo. Avise a su soporte técnico.`,
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
    off: 'Las actualizaciones están apagadas. Pida las versiones nuevas a su soporte técnico.',
    idle: 'Spotter está al día.',
    looking: 'Buscando actualizaciones…',
    failed: 'No se pudieron buscar actualizaciones. No se cambió nada.',
  },
  update_fetching: (version) => `Descargando la versión ${version}.`,
  update_ready: (version) => `La versión ${version} está lista. Se instala al salir de Spotter.`,
  update_waits: 'Spotter todavía está enviando. Primero termina eso.',
  update_announced: (version) =>
    `Ya está disponible la versión ${version}. Pida a su soporte técnico que la instale.`,
  update_look: 'Buscar ahora',
  update_put_in: 'Instalar y reiniciar',
  graphics: 'Gráficos',
  graphics_choices: { on: 'Rápidos', off: 'Seguros' },
  graphics_notes: {
    on: 'Usa el chip gráfico de esta computadora.',
    off: 'Para una ventana que parpadea o queda blanca o negra. Funciona la próxima vez que abra Spotter.',
  },
  spelling: 'Ortografía',
  spelling_choices: { off: 'No', on: 'Revisar al escribir' },
  spelling_notes: {
    off: 'No se descarga nada.',
    on: 'Descarga una vez un diccionario de Google. Funciona la próxima vez que abra Spotter.',
  },
};
