/** How long reports are kept, and legal holds. */
import type { Words } from '../shape.ts';
import { count } from './say.ts';

const reports = (n: number) => count(n, '# zgłoszenie', '# zgłoszenia', '# zgłoszeń');
/** For a sentence with a verb: „1 zgłoszenie zostałoby usunięte”. */
const would = (n: number, [one, few, many]: readonly [string, string, string]) =>
  count(n, `# zgłoszenie ${one}`, `# zgłoszenia ${few}`, `# zgłoszeń ${many}`);
const anonymised = [
  'zostałoby zanonimizowane',
  'zostałyby zanonimizowane',
  'zostałoby zanonimizowanych',
] as const;
const deleted = ['zostałoby usunięte', 'zostałyby usunięte', 'zostałoby usuniętych'] as const;

export const retention: Words['retention'] = {
  title: 'Jak długo przechowuje się zgłoszenia',
  note: 'Anonimizacja starych zgłoszeń, opróżnianie kosza',
  text: 'Wyłączone, dopóki tego nie wybierzesz. Tego, co zostanie usunięte, nie da się przywrócić.',
  back: 'Dane firmy',
  years: 'Anonimizuj zgłoszenia',
  presets: {
    off: 'Nigdy',
    uk: 'Wielka Brytania: 3 lata',
    us: 'USA: 5 lat',
    own: 'Inna liczba',
  },
  years_own: 'Lata po zdarzeniu',
  years_bad: 'Liczba całkowita od 1 do 50',
  bin: 'Opróżniaj kosz',
  bin_options: {
    off: 'Nigdy',
    30: 'Po 30 dniach',
    60: 'Po 60 dniach',
    90: 'Po 90 dniach',
    own: 'Inna liczba',
  },
  bin_own: 'Dni w koszu',
  bin_bad: 'Liczba całkowita od 30 do 90',
  usual: 'Firmy zwykle wybierają te liczby. Zapytaj swojego prawnika.',
  goes: 'Co zostanie usunięte',
  goes_text:
    'Wszystkie teksty, komentarze, zdjęcia, miejsce i punkt na planie, kogo to dotyczyło, kto zgłosił i kto zmieniał, na serwerze i na każdym laptopie przy następnym połączeniu.',
  stays: 'Co zostanie',
  stays_text:
    'Numer, zadanie, daty, możliwe skutki, rodzaj i inne wybory. Liczby się nie zmienią, poza miejscami, punktami na planie i zdjęciami. Zostaną też nazwy i opisy zadań: można je zmienić w części „Zadania i strefy”.',
  copies:
    'Kopie zapasowe zachowują swoją treść do czasu ich usunięcia. Wyeksportowane pliki zostają tam, gdzie są.',
  held_text:
    'Zgłoszenie zabezpieczone na potrzeby prawne zostaje bez zmian. Zabezpieczysz je w menu zgłoszenia.',
  preview: 'Skutki tego wyboru',
  nothing: 'Nic nie zostałoby zanonimizowane ani usunięte.',
  anonymise_now: (n) => `${would(n, anonymised)} dzisiaj.`,
  anonymise_soon: (n) => `${would(n, anonymised)} w ciągu 30 dni.`,
  delete_now: (n) => `${would(n, deleted)} z kosza dzisiaj.`,
  delete_soon: (n) => `${would(n, deleted)} z kosza w ciągu 30 dni.`,
  held: (n) =>
    `${would(n, ['jest zabezpieczone i zostałoby', 'są zabezpieczone i zostałyby', 'jest zabezpieczonych i zostałoby'])}.`,
  hidden: (n) => `${would(n, ['jest', 'są', 'jest'])} w prywatnych zadaniach, których nie widzisz.`,
  acts: { anonymise: 'Anonimizacja', delete: 'Usunięcie' },
  row: (number) => `Zdarzenie ${number}`,
  is_held: 'Zabezpieczone',
  more: 'Pokaż więcej',
  looking: 'Przeglądanie zgłoszeń…',
  save: 'Zapisz',
  saved: 'Zapisano. Serwer sprawdza to co godzinę.',
  sure: (n) =>
    n === 0 ? 'Zapisać ten wybór?' : `Zapisać i utracić teksty i zdjęcia (${reports(n)})?`,
  sure_text: 'Tego nie da się cofnąć.',
  offline: 'Można to wybrać, gdy jest połączenie.',
  missing: 'Ten serwer przechowuje zgłoszenia, dopóki ktoś ich nie usunie.',
  anonymised: (day) =>
    `Zanonimizowano ${day}. Tekstów i zdjęć już nie ma, a zgłoszenie nadal się liczy.`,
  hold: {
    open: 'Zabezpieczenie prawne…',
    title: 'Zabezpieczenie prawne',
    text: 'Zabezpieczone zgłoszenie nie jest anonimizowane i nikt nie może go usunąć, usunąć z niego zdjęcia ani komentarza, ani zaczernić jego historii.',
    reason: 'Powód',
    reason_hint: 'Widzą go tylko administratorzy. Na przykład: roszczenie z 4 maja, akta 112.',
    reason_missing: 'Podaj powód zabezpieczenia',
    set: 'Zabezpiecz',
    change: 'Zmień powód',
    release: 'Zdejmij zabezpieczenie',
    was_set: 'Zgłoszenie jest zabezpieczone.',
    was_released: 'Zabezpieczenie zdjęto.',
    logged: 'Dziennik zapisuje, kto zabezpieczył zgłoszenie i kto zdjął zabezpieczenie.',
    mark: 'Zabezpieczone',
    since: (who, day) => `Zabezpieczone od ${day}, przez: ${who}`,
    offline: 'Zgłoszenie można zabezpieczyć, gdy jest połączenie.',
    missing: 'Ten serwer nie ma zabezpieczeń prawnych.',
  },
};
