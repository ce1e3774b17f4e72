/** The week on a page: on screen, on paper and in Excel. */
import type { Words } from '../shape.ts';
import { places } from './places.ts';
import { count, f } from './say.ts';

export const week: Words['week'] = {
  title: places.week,
  choose: 'Który tydzień',
  days: (from, to) => `${f.day_month(from)} – ${f.day(to)}`,
  previous: 'Poprzedni tydzień',
  next: 'Następny tydzień',
  excel: 'Excel',
  saved: 'Skoroszyt jest w pobranych plikach.',
  failed: 'Nie udało się zapisać skoroszytu. Na tym laptopie nic się nie zmieniło.',
  reported: 'Zgłoszone zdarzenia',
  before: (n) => `Tydzień wcześniej: ${f.number(n)}`,
  by_day: 'Dzień po dniu',
  this_week: 'Ten tydzień',
  week_before: 'Tydzień wcześniej',
  places: 'Gdzie',
  sources: 'Źródło zagrożenia',
  activities: 'Rodzaj prac',
  worst: 'Najgroźniejsze',
  more: (n) =>
    count(
      n,
      'Na liście jeszcze # zdarzenie.',
      'Na liście jeszcze # zdarzenia.',
      'Na liście jeszcze # zdarzeń.',
    ),
  nothing: 'Nic nie odnotowano.',
  none: 'W tym tygodniu nie zgłoszono zdarzeń.',
  figure: 'Według',
  name: 'Nazwa',
  file: 'tydzien',
};
