/** "Does this have to be reported?": hints from the law of a country, and the sheet with the facts. */
import type { Words } from '../shape.ts';
import { places } from './places.ts';
import { f } from './say.ts';

export const reportable: Words['reportable'] = {
  title: places.reportable,
  open: 'Zgłosić urzędowi?',
  hint: 'To podpowiedź, a nie decyzja. W razie wątpliwości zapytaj doradcę BHP.',
  choose: 'Prawo którego kraju?',
  countries: { uk: 'Wielka Brytania', us: 'Stany Zjednoczone', se: 'Szwecja' },
  law: 'Prawo',
  who: 'Kto zgłasza',
  checked: (day) => `Porównano ze źródłami ${f.day(day)}.`,
  stale: 'Tych zasad dawno nie porównywano ze źródłami',
  stale_text: (day) =>
    `Ostatnio porównano je ${f.day(day)}. Zajrzyj do źródła, zanim na nich polegasz.`,
  fits: 'Czy coś z tej listy opisuje, co się stało?',
  pointed: 'Wskazuje na to słowo w zgłoszeniu',
  others: (n) => `Pokaż jeszcze ${f.number(n)}`,
  none: 'Nic nie jest zaznaczone. Jeśli nic nie pasuje, prawo z tej listy nie wymaga zgłoszenia.',
  now: 'Natychmiast, najszybszą drogą',
  by: (at) => `Do ${at}`,
  at_once_and_by: (at) => `Natychmiast najszybszą drogą, na piśmie do ${at}`,
  late: (at) => `Termin minął ${at}. Mimo to zgłoś teraz.`,
  when: 'Do kiedy',
  to: 'Komu',
  how: 'Jak',
  facts: 'O co pytają',
  to_fill: 'do uzupełnienia',
  fact: {
    when: 'Kiedy to się stało',
    where: 'Gdzie',
    what: 'Co się stało',
    action: 'Co zrobiono od razu',
    establishment: 'Nazwa i adres miejsca pracy',
    employer: 'Firma i jej adres',
    equipment: 'Maszyna, sprzęt lub konstrukcja',
    substance: 'Substancja i ilość',
    injured: 'Poszkodowani i ich pracodawca',
    injury: 'Rodzaj urazu',
    contact: 'Osoba do kontaktu i numer telefonu',
  },
  sources: 'Źródła',
  pick: 'Wybierz kraj, aby zobaczyć jego zasady.',
};
