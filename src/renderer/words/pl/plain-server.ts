/** Sentences for a server that has the reference API but not the Spotter extension. */
import type { Words } from '../shape.ts';
import { f, photos } from './say.ts';

export const plain_server: Words['plain_server'] = {
  choose: 'Wybierz',
  pick_title: 'Czy to jedno z tych?',
  pick_text:
    'Połączenie zerwało się podczas wysyłania, więc serwer może już to mieć. Te zgłoszenia na serwerze mają ten sam tekst. Nic nie zostanie wysłane przed wyborem.',
  pick_none_left:
    'Zgłoszenia z tym samym tekstem to inne zgłoszenia. Wyślij to jako nowe zgłoszenie.',
  pick_label: 'Które to zgłoszenie?',
  record: (number) => `To zdarzenie ${number}`,
  record_note: (at, recycled, facts) => {
    const when = at === null ? 'Na serwerze' : `Na serwerze od ${f.moment(at)}`;
    const where = recycled ? `${when}, teraz w koszu` : when;
    return facts ? `${where}. ${facts}` : where;
  },
  as_new: 'Żadne z nich',
  as_new_note: 'Wyślij moje jako nowe zgłoszenie.',
  apply: 'Dalej',
  picked: 'Zapisano. Zdjęcia pójdą za nim.',
  sent_as_new: 'Zostanie wysłane jako nowe zgłoszenie.',
  taken: 'Tamto zgłoszenie okazało się innym z tego laptopa. Sprawdź jeszcze raz.',
  to_settings: 'Wybierz miejsce',

  place_title: 'Zdjęcia',
  place_text:
    'Ten serwer nie przyjmuje zdjęć do zdarzeń. Do czasu wyboru miejsca wysyłany jest tekst, a zdjęcia czekają na tym laptopie.',
  place_label: 'Zdjęcia trafiają do',
  places: {
    time_and_material_entry: 'Wpis robocizny i materiałów',
    custom_field: 'Pole własne',
    laptop: 'Nigdzie',
  },
  place_notes: {
    time_and_material_entry: 'Tam dołączane i sprawdzane',
    custom_field: 'Wymieniane w zdarzeniu, ale niesprawdzane',
    laptop: 'Zostają na tym laptopie i można je wyeksportować',
  },
  entry_number: 'Numer wpisu robocizny i materiałów',
  entry_hint:
    'Numer z jego adresu internetowego na serwerze. Spotter dołącza do niego wszystkie zdjęcia tej budowy.',
  field_number: 'Numer pola własnego',
  field_hint:
    'Spotter wpisuje do tego pola tekstowego odwołanie do każdego zdjęcia. Większość serwerów po tygodniu usuwa nieużyte pliki. Oryginały zostają na tym laptopie.',
  number_wrong: 'Wpisz numer, na przykład 12.',
  save: 'Zapisz',
  saved: (waiting) => (waiting === 0 ? 'Zapisano.' : `Zapisano. Wysyłanie: ${photos(waiting)}.`),

  receipt_entry: (id) => `we wpisie robocizny i materiałów ${id}`,
  receipt_field: (field) => `wymienione w „${field}”, niesprawdzone, oryginał na tym laptopie`,
};
