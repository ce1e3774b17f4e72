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
  spelling: 'Ortografía',
  spelling_choices: { off: 'No revisar', on: 'Revisar al escribir' },
  spelling_notes: {
    off: 'No se descarga nada de nadie.',
    on: 'Descarga una vez un diccionario de Google. Se aplica la próxima vez que se abra Spotter.',
  },
};
