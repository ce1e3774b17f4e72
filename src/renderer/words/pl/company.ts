/** Sentences shared by insurances, members, webhooks and time-and-material files: freshness and refusals. */
import type { Words } from '../shape.ts';

export const company: Words['company'] = {
  offline: 'Offline. Widać kopię z tego laptopa',
  offline_nothing: 'Offline, a na tym laptopie nie ma jeszcze nic',
  not_allowed: 'Brak uprawnień, aby to zobaczyć',
  known_here: 'Widać kopię z tego laptopa.',
  nothing_here: 'Na tym laptopie nie ma jeszcze nic.',
  not_asked: 'Na tym laptopie nie ma jeszcze nic',
  not_asked_text: 'Pobierze się po zalogowaniu, gdy będzie połączenie.',
  error_todo:
    'Spotter spróbuje ponownie, gdy zmieni się połączenie. Można też nacisnąć „Spróbuj ponownie”.',
  bring_back: 'Zachowaj',
  bring_back_name: (name) => `Zachowaj: ${name}`,
  take_back: 'Anuluj wysyłanie',
  take_back_name: (name) => `Anuluj wysyłanie: ${name}`,
  again_name: (name) => `Spróbuj ponownie: ${name}`,
  brought_back: 'Zachowano. Usunięcie anulowane.',
  taken_back: 'Wysyłanie anulowane.',
  tried_again: 'Spotter próbuje ponownie.',
  outcome_unknown: 'Serwer mógł już to zrobić. Najpierw spróbuj ponownie.',
  day_order: {
    label: 'Daty w tym pliku',
    unknown: 'Najpierw dzień czy miesiąc?',
    orders: {
      day_month: 'Najpierw dzień: 31/12/2030',
      month_day: 'Najpierw miesiąc: 12/31/2030',
    },
  },
};
