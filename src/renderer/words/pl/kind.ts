/** The kind of a report, with examples of each trade. */
import type { Words } from '../shape.ts';

export const kind: Words['kind'] = {
  examples: {
    any: {
      'near miss':
        'Coś się stało, ale nikt nie ucierpiał: deska spadła tam, gdzie przed chwilą stał człowiek.',
      'unsafe condition': 'Nic się jeszcze nie stało: otwór w stropie bez przykrycia.',
      'good catch':
        'Ktoś to zauważył i przerwał w porę: zużyte zawiesie odłożono przed podniesieniem.',
    },
    scaffold: {
      'near miss': 'Złącze spadło z 4. poziomu na przejście.',
      'unsafe condition': 'Na końcu 2. poziomu brakuje poręczy.',
      'good catch': 'Przy porannym przeglądzie zauważono brak kotwy i poziom zamknięto.',
    },
    lifting: {
      'near miss': 'Ładunek przeleciał nad ogrodzeniem i nikogo nie dotknął.',
      'unsafe condition': 'Zabezpieczenie haka się nie zamyka.',
      'good catch': 'Hakowy zauważył nacięcie zawiesia i przerwano podnoszenie.',
    },
    electrical: {
      'near miss': 'Przecięto kabel, który miał być bez napięcia. Nikt nie ucierpiał.',
      'unsafe condition': 'Rozdzielnica stoi otwarta na deszczu.',
      'good catch': 'Obwód sprawdzono jeszcze raz i nadal był pod napięciem.',
    },
    excavation: {
      'near miss': 'Ściana wykopu osunęła się minutę po wyjściu ludzi.',
      'unsafe condition': 'Urobek leży na krawędzi wykopu.',
      'good catch': 'Zauważono pęknięcia przy krawędzi i nikt nie wszedł.',
    },
    vehicles: {
      'near miss': 'Wozidło cofało i zatrzymało się metr od człowieka.',
      'unsafe condition': 'Przejście przecina drogę transportową bez zapory.',
      'good catch': 'Sygnalista zatrzymał ciężarówkę, zanim skręciła na zamknięty pas.',
    },
    hot_work: {
      'near miss': 'Iskry zapaliły opakowania. Od razu je ugaszono.',
      'unsafe condition': 'Butle z gazem stoją obok miejsca cięcia.',
      'good catch': 'Dozór po zakończeniu prac znalazł tlący się materiał.',
    },
  },
  hurt: 'Ktoś ucierpiał?',
  hurt_title: 'Wtedy to nie jest zdarzenie potencjalnie wypadkowe',
  hurt_text:
    'Najpierw pomóż tej osobie i wezwij pomoc medyczną. Jeśli to bezpieczne, zostaw miejsce bez zmian. Potem powiadom kierownika budowy i zgłoś wypadek tak, jak przewiduje to firma: to zgłoszenie nie wystarczy. Wpisany tekst zostaje jako szkic.',
};
