/** Sentences shared by insurances, members, webhooks and time-and-material files: freshness and refusals. */
import type { Words } from '../shape.ts';

export const company: Words['company'] = {
  offline: 'Sin conexión. Se muestra la copia de esta laptop',
  offline_nothing: 'Sin conexión, y todavía no hay nada en esta laptop',
  not_allowed: 'No tiene permiso para ver esto',
  known_here: 'Se muestra la copia de esta laptop.',
  nothing_here: 'Todavía no hay nada en esta laptop.',
  not_asked: 'Todavía no hay nada en esta laptop',
  not_asked_text: 'Se descargará cuando inicie sesión y haya conexión.',
  error_todo: 'Spotter lo intentará de nuevo cuando cambie la conexión. O presione Reintentar.',
  bring_back: 'Conservar',
  bring_back_name: (name) => `Conservar ${name}`,
  take_back: 'Cancelar el envío',
  take_back_name: (name) => `Cancelar el envío: ${name}`,
  again_name: (name) => `Reintentar: ${name}`,
  brought_back: 'Se conserva. La eliminación se canceló.',
  taken_back: 'Envío cancelado.',
  tried_again: 'Spotter lo intenta de nuevo.',
  outcome_unknown: 'Tal vez el servidor ya lo hizo. Primero reintente.',
  day_order: {
    label: 'Fechas de este archivo',
    unknown: '¿Primero el día o el mes?',
    orders: {
      day_month: 'Primero el día: 31/12/2030',
      month_day: 'Primero el mes: 12/31/2030',
    },
  },
};
