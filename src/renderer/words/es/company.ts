/** What insurances, members, webhooks and time-and-material files say in common: how fresh they are, what was refused. */
import type { Words } from '../shape.ts';

export const company: Words['company'] = {
  offline: 'Sin conexión: esto es lo que sabe esta laptop',
  offline_nothing: 'Sin conexión, y en esta laptop todavía no hay nada de esto',
  not_allowed: 'No tiene permiso para ver lo más nuevo',
  known_here: 'Se muestra lo que sabe esta laptop; está a salvo.',
  nothing_here: 'En esta laptop todavía no hay nada de esto.',
  not_asked: 'En esta laptop todavía no hay nada de esto',
  not_asked_text: 'Se trae cuando Spotter tenga sesión iniciada y el servidor responda.',
  error_todo: 'Spotter reintenta cuando cambia la conexión; también puede presionar Reintentar.',
  bring_back: 'Recuperar',
  bring_back_name: (name) => `Recuperar ${name}`,
  take_back: 'Cancelar el envío',
  take_back_name: (name) => `Cancelar el envío: ${name}`,
  again_name: (name) => `Reintentar: ${name}`,
  brought_back: 'Se queda. Ya no se pide al servidor que lo elimine.',
  taken_back: 'Envío cancelado.',
  tried_again: 'Spotter volverá a intentarlo cuando haya conexión.',
  unsure: 'Todavía no se sabe si el servidor lo hizo. Primero reintente.',
  day_order: {
    label: 'Fechas de este archivo',
    unknown: '¿Primero el día o el mes?',
    orders: {
      day_month: 'Primero el día: 31/12/2030',
      month_day: 'Primero el mes: 12/31/2030',
    },
  },
};
