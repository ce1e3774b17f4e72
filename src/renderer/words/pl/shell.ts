/** The project switcher, the finder and the help. */
import type { Words } from '../shape.ts';
import { f } from './say.ts';

export const sites: Words['sites'] = {
  open: (project, company) => `${project}, ${company}. Zmień budowę`,
  title: 'Budowy',
  waiting: (n) => `${f.number(n)} w kolejce`,
  changed: (name) => `Wybrana budowa: ${name}.`,
  refused: (name) => `Nie ma już dostępu do tamtej budowy. Znów wybrana: ${name}.`,
  not_listed: 'Ten serwer nie udostępnia listy budów.',
  old: (when) => `Ta lista jest z: ${when}. Nie udało się jej zaktualizować.`,
  never: 'Inne budowy nie są jeszcze znane. Pojawią się, gdy serwer odpowie.',
  other: 'Inna budowa lub inny serwer…',
};

export const finder: Words['finder'] = {
  title: 'Znajdź',
  label: 'Zdarzenie, ekran lub polecenie',
  open: (keys) => `Znajdź cokolwiek (${keys})`,
  deeds: 'Polecenia',
  screens: 'Ekrany',
  send_now: 'Wyślij teraz to, co jest w kolejce',
  connect: 'Zmień połączenie',
  go_to: (project) => `Przejdź do: ${project}`,
  looking: 'Szukanie zdarzeń…',
  in_list: (text) => `Pokaż „${text}” na liście`,
  in_list_last_week: (text) => `Pokaż na liście „${text}” z zeszłego tygodnia`,
};

export const keys: Words['keys'] = {
  title: 'Pomoc i klawisze',
  help: 'Pomoc',
  names: {
    Space: 'Spacja',
    'Page Up': 'Page Up',
    'Page Down': 'Page Down',
    Home: 'Home',
    End: 'End',
    Delete: 'Delete',
    Shift: 'Shift',
  },
};
