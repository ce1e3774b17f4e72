/** Comments on a near miss. */
import type { Words } from '../shape.ts';
import { count, f } from './say.ts';

export const comments: Words['comments'] = {
  title: 'Komentarze',
  none: 'Nie ma jeszcze komentarzy.',
  earlier: (n) =>
    count(
      n,
      '# wcześniejszy komentarz jest tylko na serwerze.',
      '# wcześniejsze komentarze są tylko na serwerze.',
      '# wcześniejszych komentarzy jest tylko na serwerze.',
    ),
  as_of: (at) =>
    `Stan na ${f.moment(at)}. Spotter pobierze nowe komentarze, gdy będzie połączenie.`,
  write: 'Napisz komentarz',
  write_hint: 'Przeczyta go każdy, kto widzi to zgłoszenie. Ctrl+Enter wysyła.',
  send: 'Wyślij komentarz',
  room: (n) => count(n, 'Został # znak', 'Zostały # znaki', 'Zostało # znaków'),
  too_long: (n) =>
    `${count(n, 'O # znak', 'O # znaki', 'O # znaków')} za długi. Skróć komentarz, aby go wysłać.`,
  waiting: 'Czeka na wysłanie',
  parked: 'Nie wysłano. Zobacz „W kolejce”.',
  written: 'Komentarz zapisany.',
  take_back: 'Cofnij',
  taken_back: 'Komentarz cofnięty.',
  remove: (who, at) => `Usuń komentarz: ${who}, ${at}`,
  remove_title: 'Usunąć ten komentarz?',
  remove_text:
    'Treść zniknie u wszystkich i nie da się jej przywrócić. Zostanie tylko, kto napisał i kto usunął.',
  remove_go: 'Usuń komentarz',
  removed_by: (who) => `Usunięte przez: ${who}`,
};
