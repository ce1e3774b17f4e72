/** The frame: rail, header, status line, and the words for states. */
import type { Words } from '../shape.ts';
import { count, f, items } from './say.ts';

export const dates: Words['dates'] = {
  hint: '20 lis 2026',
  hint_time: '20 lis 2026, 14:32',
  open: (label) => `Wybierz dzień: ${label}`,
  previous: 'Poprzedni miesiąc',
  next: 'Następny miesiąc',
  today: 'Dzisiaj',
  unreadable: 'Wpisz datę, na przykład 20.11.2026.',
  unreadable_time: 'Wpisz datę i godzinę, na przykład 20.11.2026 14:32.',
};

export const app: Words['app'] = {
  name: 'Spotter',
  rail: 'Menu główne',
  skip: 'Przejdź do treści',
  new_near_miss: 'Nowe zgłoszenie',
  near_misses: 'Zdarzenia',
  company: 'Firma',
  waiting: 'W kolejce',
  waiting_count: (n) => `W kolejce, ${items(n)}`,
  unfinished: (n) => `Niedokończone: ${f.number(n)}`,
  recycle_bin: 'Kosz',
  settings: 'Ustawienia',
  search: 'Szukaj zdarzeń',
  clear_search: 'Wyczyść wyszukiwanie',
  this_laptop: 'Ten laptop',
  sample_data: 'Dane przykładowe',
  project_number: (id) => `Budowa ${id}`,
  company_number: (id) => `Firma ${id}`,
  unnamed: (id) => `Nr ${id}`,
  no_project: 'Nie wybrano budowy',
  sample: {
    title: 'Dane przykładowe.',
    text: 'Te zdarzenia są zmyślone. Zostają na tym laptopie.',
    start: 'Zacznij naprawdę',
  },
  queued: {
    online: 'Trwa wysyłanie.',
    offline: 'Zostanie wysłane, gdy wróci połączenie.',
  },
  notices: 'Powiadomienia',
  close: 'Zamknij',
  cancel: 'Anuluj',
  undo: 'Cofnij',
  try_again: 'Spróbuj ponownie',
  optional: 'opcjonalne',
  starting: 'Otwieranie Spottera…',
  more: 'Więcej',
  brought_back: (n) =>
    count(
      n,
      'Przywrócono z kopii zapasowej # zdarzenie z kolejki.',
      'Przywrócono z kopii zapasowej # zdarzenia z kolejki.',
      'Przywrócono z kopii zapasowej # zdarzeń z kolejki.',
    ),
  came_back:
    'Okno Spottera trzeba było otworzyć ponownie. Zapisane dane są bezpieczne, a rozpoczęte zgłoszenie zostało jako szkic.',
  came_along: (n) =>
    count(
      n,
      'Przeniesiono tu # zdarzenie z kolejki drugiego okna Spottera.',
      'Przeniesiono tu # zdarzenia z kolejki drugiego okna Spottera.',
      'Przeniesiono tu # zdarzeń z kolejki drugiego okna Spottera.',
    ),
  port_taken: (port) =>
    `Inny program używa portu ${port}, więc Spotter otworzył się na innym. Wszystkie szkice i zgłoszenia z kolejki są tutaj.`,
  /** Photos that were being read when Spotter ended. */
  lost_photos: {
    title: (n: number) =>
      count(
        n,
        '# zdjęcie nie zostało zapisane przed zamknięciem Spottera.',
        '# zdjęcia nie zostały zapisane przed zamknięciem Spottera.',
        '# zdjęć nie zostało zapisanych przed zamknięciem Spottera.',
      ),
    more: (names: string, n: number) => `${names} i jeszcze ${f.number(n)}`,
    todo: (n: number) =>
      n === 1
        ? 'Nie ma go w zgłoszeniu. Otwórz szkic i wybierz je ponownie.'
        : 'Nie ma ich w zgłoszeniu. Otwórz szkic i wybierz je ponownie.',
    open: 'Otwórz szkic',
    read: 'Rozumiem',
  },
  unreadable: {
    title: (n) =>
      count(
        n,
        'Nie udało się odczytać # pozycji zapisanej na tym laptopie.',
        'Nie udało się odczytać # pozycji zapisanych na tym laptopie.',
        'Nie udało się odczytać # pozycji zapisanych na tym laptopie.',
      ),
    text: 'Może to być zgłoszenie albo zmiana, która nie została dostarczona. Sprawdź na liście ostatnie zgłoszenia. To, co zostało, można zapisać dla biura.',
    save: 'Zapisz to, co zostało',
    dismiss: 'Sprawdzone',
    file: 'spotter-nieczytelne.txt',
  },
  set_apart: (n) =>
    count(
      n,
      '# pozycji nie da się odczytać. Jest w „W kolejce”.',
      '# pozycji nie da się odczytać. Są w „W kolejce”.',
      '# pozycji nie da się odczytać. Są w „W kolejce”.',
    ),
  link_refused:
    'Spotter nie otworzy tego linku. Może prowadzić do tego komputera albo do jego sieci.',
  link_not_opened: 'Żaden program na tym laptopie nie otwiera takich linków.',
  cannot_open: 'Spotter nie może otworzyć swoich danych na tym laptopie.',
  cannot_open_todo:
    'Nic nie zostało usunięte. Zamknij Spottera i otwórz go ponownie. Jest też kopia zapasowa zapisanych danych.',
  disk: {
    low: (left) => `Dysk jest prawie pełny: zostało ${f.bytes(left)}.`,
    text: 'Zgłoszenia nadal się zapisują. Zwolnij miejsce, inaczej zdjęcia mogą się nie zmieścić.',
  },
  store: {
    full: 'Dysk jest pełny i Spotter nie może otworzyć swoich danych.',
    full_todo: 'Zapisane dane są bezpieczne. Zwolnij miejsce i spróbuj ponownie.',
    newer: 'Dane na tym laptopie zapisała nowsza wersja Spottera.',
    newer_todo:
      'Nic nie zostało zmienione. Otwórz nowszą wersję. Można też zapisać kopię zgłoszeń z kolejki i ich zdjęć.',
    newer_save: 'Zapisz kopię',
    newer_saved: 'Kopia jest w pobranych plikach.',
    closed: 'Spotter stracił dostęp do swoich danych i nie może teraz nic zapisać.',
    closed_text:
      'Być może dysk jest pełny. To, co zapisano wcześniej, jest bezpieczne. Skopiuj pisany tekst, zwolnij miejsce i otwórz Spottera ponownie.',
    closed_open: 'Otwórz ponownie',
  },
};

export const pill: Words['pill'] = {
  safe: ', bezpieczne na tym laptopie',
  local: 'Zapisano na tym laptopie',
  local_but: (what) => `Zapisano na tym laptopie · ${what}`,
  short_local: 'Zapisano',
  online_all: 'Online · wszystko dostarczone',
  online_waiting: (n) => `Online · ${f.number(n)} w kolejce`,
  online_sending: (n, total) =>
    total > n
      ? `Online · wysyłanie ${f.number(n)} z ${f.number(total)}`
      : `Online · wysyłanie ${f.number(n)}`,
  online_but: (what) => `Online · ${what}`,
  offline_but: (what) => `Offline · ${what}`,
  elsewhere: (n, name) => `${f.number(n)} w kolejce dla ${name}`,
  elsewheres: (n, connections) =>
    `${f.number(n)} w kolejce dla innych połączeń (${f.number(connections)})`,
  offline_none: 'Offline · kolejka pusta',
  offline: (n) => `Offline · ${f.number(n)} w kolejce`,
  server: (n) => (n === 0 ? 'Problem serwera' : `Problem serwera · ${f.number(n)} w kolejce`),
  portal: (n) =>
    n === 0 ? 'Wi-Fi wymaga logowania' : `Wi-Fi wymaga logowania · ${f.number(n)} w kolejce`,
  sign_in_none: 'Zaloguj się ponownie',
  sign_in: (n) => `Zaloguj się, aby wysłać · ${f.number(n)} w kolejce`,
  locked: (n) =>
    n === 0 ? 'Pęk kluczy zablokowany' : `Pęk kluczy zablokowany · ${f.number(n)} w kolejce`,
  checking: (n) => (n === 0 ? 'Sprawdzanie połączenia…' : `Sprawdzanie · ${f.number(n)} w kolejce`),
  needs_you: (n, total) => {
    const needs = count(n, '# wymaga uwagi', '# wymagają uwagi', '# wymaga uwagi');
    return total > n ? `${needs} · ${f.number(total)} w kolejce` : needs;
  },
  busy: (n) => (n === 0 ? 'Serwer zajęty' : `Serwer zajęty · ${f.number(n)} w kolejce`),
  disk: (n) => (n === 0 ? 'Dysk pełny' : `Dysk pełny · ${f.number(n)} w kolejce`),
  short_checking: 'Sprawdzanie',
  short_online: 'Online',
  short_offline: (n) => (n === 0 ? 'Offline' : `Offline · ${f.number(n)}`),
  short_server: 'Problem serwera',
  short_portal: 'Logowanie do Wi-Fi',
  short_sign_in: (n) => (n === 0 ? 'Zaloguj się' : `Zaloguj się · ${f.number(n)}`),
  short_waiting: (n) => `${f.number(n)} w kolejce`,
  short_needs_you: (n) => `Uwaga · ${f.number(n)}`,
};

export const state: Words['state'] = {
  draft: 'Szkic',
  waiting: 'W kolejce',
  sending: 'Wysyłanie',
  needs_you: 'Wymaga uwagi',
  set_aside: 'Wstrzymane',
  delivered: 'Dostarczone',
  checked: 'Dostarczone',
};
