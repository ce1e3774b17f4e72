/** The shell's own words in Polish. */
import type { words as english } from './en.ts';

const plural = new Intl.PluralRules('pl');
/** Picks the form of a whole number: 1 zdarzenie, 2 zdarzenia, 5 zdarzeń. */
const counted = (n: number, one: string, few: string, many: string): string => {
  const form = plural.select(n);
  return form === 'one' ? one : form === 'few' ? `${n} ${few}` : `${n} ${many}`;
};
const near_misses = (n: number): string => counted(n, '1 zdarzenie', 'zdarzenia', 'zdarzeń');

export const words: typeof english = {
  menu: {
    file: 'Plik',
    edit: 'Edycja',
    view: 'Widok',
    go: 'Idź',
    window: 'Okno',
    help: 'Pomoc',
    new_near_miss: 'Nowe zgłoszenie',
    import: 'Importuj…',
    export: 'Eksportuj…',
    print: 'Drukuj…',
    save_pdf: 'Zapisz jako PDF…',
    settings: 'Ustawienia…',
    close: 'Zamknij okno',
    quit: 'Zakończ Spottera',
    undo: 'Cofnij',
    redo: 'Ponów',
    cut: 'Wytnij',
    copy: 'Kopiuj',
    paste: 'Wklej',
    paste_plain: 'Wklej bez formatowania',
    delete: 'Usuń',
    select_all: 'Zaznacz wszystko',
    find: 'Szukaj zdarzeń',
    near_misses: 'Zdarzenia',
    waiting: 'W kolejce',
    reload: 'Wczytaj okno ponownie',
    actual_size: 'Rzeczywisty rozmiar',
    zoom_in: 'Większe',
    zoom_out: 'Mniejsze',
    full_screen: 'Pełny ekran',
    developer_tools: 'Narzędzia programisty',
    minimize: 'Zminimalizuj',
    zoom: 'Powiększ',
    front: 'Przenieś wszystkie na wierzch',
    about: 'O Spotterze',
    services: 'Usługi',
    hide: 'Ukryj Spottera',
    hide_others: 'Ukryj pozostałe',
    show_all: 'Pokaż wszystkie',
    keys: 'Pomoc i klawisze',
    service_docs: 'Dokumentacja API',
    diagnostics: 'Kopiuj diagnostykę',
  },
  context: {
    no_suggestion: 'Brak podpowiedzi',
    copy_picture: 'Kopiuj obraz',
    save_picture: 'Zapisz obraz…',
    copy_link: 'Kopiuj odnośnik',
  },
  tray: {
    newer: (version) => `Dostępna jest wersja ${version}`,
    show: 'Otwórz Spottera',
    waiting: (n) => (n === 0 ? 'Kolejka jest pusta' : `${near_misses(n)} w kolejce`),
  },
  cannot_run: {
    title: 'Spotter nie może się uruchomić',
    stopped: 'Spotter przestał działać',
    already_running: {
      what: 'Spotter jest już otwarty z tym folderem danych.',
      safe: 'Nic nie przepadło.',
      todo: 'Zamknij drugiego Spottera i spróbuj ponownie.',
    },
    no_space: {
      what: 'Dysk jest pełny.',
      safe: 'To, co zapisano wcześniej, jest bezpieczne.',
      todo: 'Zwolnij miejsce i spróbuj ponownie.',
    },
    unusable_folder: {
      what: 'Nie można użyć folderu danych.',
      safe: 'Nic w nim nie zmieniono.',
      todo: 'Sprawdź, czy folder istnieje i czy można w nim zapisywać, a potem spróbuj ponownie.',
    },
    damaged: {
      what: 'Ta instalacja Spottera jest uszkodzona: brakuje części programu.',
      safe: 'Zapisane dane są bezpieczne.',
      todo: 'Zainstaluj Spottera ponownie. Folder danych się nie zmieni.',
    },
    no_sandbox: {
      what: 'Ten system nie pozwala Spotterowi chronić okna, więc Spotter się nie uruchomi.',
      safe: 'Zapisane dane są bezpieczne.',
      todo: 'Zamiast AppImage zainstaluj pakiet Spottera dla tego systemu (deb lub rpm) albo zapytaj administratora.',
    },
    lost_folder: {
      what: 'Spotter przestał działać: być może jego folderu danych używa inny Spotter.',
      safe: 'Zapisane dane są bezpieczne.',
      todo: 'Zamknij drugiego Spottera i spróbuj ponownie.',
    },
    again: 'Spróbuj ponownie',
    quit: 'Zakończ',
  },
  closing: {
    message: (n) => `Jeszcze do wysłania: ${near_misses(n)}.`,
    detail:
      'Tak czy inaczej są bezpieczne na tym laptopie. Spotter może wysyłać dalej w tle albo wysłać je przy następnym otwarciu.',
    keep_sending: 'Wysyłaj dalej',
    end: 'Zakończ teraz',
    cancel: 'Anuluj',
    remember: 'Zawsze tak rób',
    copying: 'Zdjęcia lub pliki są jeszcze kopiowane na ten laptop.',
    copying_detail:
      'Te, które nie są jeszcze skopiowane, przepadną po zamknięciu Spottera. Poczekaj, aż formularz pokaże wszystkie.',
    stay: 'Poczekaj',
    close_anyway: 'Zamknij mimo to',
  },
  stopped: {
    message: 'Okno Spottera przestało działać trzy razy w ciągu minuty.',
    detail: 'Zapisane dane są bezpieczne na tym laptopie, w folderze poniżej.',
    again: 'Otwórz ponownie',
    folder: 'Pokaż folder',
    quit: 'Zakończ',
  },
  graphics: {
    message: 'Sterownik grafiki tego komputera przestał działać dwa razy w ciągu minuty.',
    detail:
      'Spotter może działać bez niego, trochę wolniej. Zapisane dane są bezpieczne, a rozpoczęte zgłoszenie zostaje jako szkic. Można to zmienić w Ustawieniach, w dziale Aplikacja na komputer.',
    turn_off: 'Uruchom ponownie bez niego',
    keep: 'Nie teraz',
  },
  uncaught: {
    message: 'W Spotterze wystąpił nieoczekiwany błąd i trzeba go zamknąć.',
    detail:
      'Zapisane dane są bezpieczne, a rozpoczęte zgłoszenie zostaje jako szkic. Otwórz Spottera ponownie, aby kontynuować. Szczegóły pomogą informatykowi i mogą zawierać nazwy plików.',
    quit: 'Zakończ',
    copy: 'Kopiuj szczegóły i zakończ',
  },
  hangs: {
    message: 'Okno Spottera nie odpowiada.',
    detail:
      'Można poczekać albo wczytać je ponownie. Zapisane dane są bezpieczne, a rozpoczęte zgłoszenie zostaje jako szkic.',
    wait: 'Poczekaj',
    again: 'Wczytaj ponownie',
  },
  notice: {
    parked: (n) => ({
      title: counted(
        n,
        'Zdarzenie wymaga uwagi',
        'zdarzenia wymagają uwagi',
        'zdarzeń wymaga uwagi',
      ),
      body: 'Otwórz „W kolejce”, aby zobaczyć dlaczego. Wszystko jest bezpieczne na tym laptopie.',
    }),
    signed_out: {
      title: 'Zaloguj się ponownie',
      body: 'Zgłoszenia w kolejce są bezpieczne na tym laptopie.',
    },
    keychain: {
      title: 'Pęk kluczy wymaga uwagi',
      body: 'Odblokuj pęk kluczy, aby wysyłać dalej. Zgłoszenia w kolejce są bezpieczne.',
    },
    all_sent: { title: 'Wszystko wysłane', body: 'Kolejka jest pusta.' },
    due: (n) => ({
      title: counted(
        n,
        'Działanie na dziś lub po terminie',
        'działania na dziś lub po terminie',
        'działań na dziś lub po terminie',
      ),
      body: 'Otwórz listę, aby zobaczyć, co trzeba zrobić.',
    }),
  },
  pdf: { title: 'Zapisz jako PDF', failed: 'Nie udało się zapisać pliku PDF.' },
};
