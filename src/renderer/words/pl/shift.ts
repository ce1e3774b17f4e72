/** The summary for the start of a shift. */
import type { Words } from '../shape.ts';
import { count } from './say.ts';

export const shift: Words['shift'] = {
  title: 'Od wczoraj',
  fresh: (n) => count(n, 'nowe zdarzenie', 'nowe zdarzenia', 'nowych zdarzeń'),
  due: (n) =>
    count(
      n,
      'działanie na dziś lub po terminie',
      'działania na dziś lub po terminie',
      'działań na dziś lub po terminie',
    ),
  answered: (n) =>
    count(
      n,
      'Twoje zgłoszenie ma odpowiedź',
      'Twoje zgłoszenia mają odpowiedź',
      'Twoich zgłoszeń ma odpowiedź',
    ),
  commented: (n) =>
    count(
      n,
      'nowy komentarz do Twoich zgłoszeń i działań',
      'nowe komentarze do Twoich zgłoszeń i działań',
      'nowych komentarzy do Twoich zgłoszeń i działań',
    ),
  unanswered: (oldest) => `bez odpowiedzi, najstarsze ${oldest}`,
  dues: 'Działania na dziś',
  nothing: 'Nic nowego. Wybierz zdarzenie, aby je tu zobaczyć.',
  put_away: 'Ukryj do jutra',
};
