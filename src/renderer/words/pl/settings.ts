/** The settings. */
import { languageNames } from '../../../contract/languages.ts';
import { always } from '../always.ts';
import type { Words } from '../shape.ts';
import { bytes, count, f, items, photos } from './say.ts';

const with_photos = (n: number): string => (n === 0 ? '' : `, ${photos(n)}`);

export const settings: Words['settings'] = {
  title: 'Ustawienia',
  connection: 'Połączenie',
  place: 'Dokąd trafiają zdarzenia',
  company: 'Firma',
  project: 'Budowa',
  user: 'Zalogowany użytkownik',
  change: 'Zmień połączenie',
  token: 'Token',
  vault_keychain: 'Przechowywany w pęku kluczy tego komputera.',
  vault_memory: 'Przechowywany do zamknięcia Spottera. Nie znaleziono pęku kluczy.',
  vault_asking:
    'Przechowywany do zamknięcia Spottera, a po wyrażeniu zgody w pęku kluczy tego komputera.',
  vault_none: 'Na tym laptopie niepotrzebny.',
  sign_out: 'Wyloguj się',
  sign_out_title: 'Wylogować się?',
  sign_out_text: (n) =>
    n === 0
      ? 'Spotter zapomni token. Dane zostają na tym laptopie.'
      : `Spotter zapomni token. W kolejce: ${items(n)}, bezpieczne na tym laptopie. Spotter wyśle je, gdy ten sam użytkownik zaloguje się ponownie.`,
  signed_out: 'Wylogowano.',
  theme: 'Motyw',
  themes: { system: 'Jak w komputerze', light: 'Jasny', dark: 'Ciemny' },
  theme_notes: {
    system: 'Zgodnie z tym komputerem',
    light: 'Najlepszy w słońcu',
    dark: 'Łagodniejszy w nocy',
  },
  language: 'Język',
  languages: { system: 'Jak w komputerze', ...languageNames },
  language_notes: { system: 'Zgodnie z tym komputerem', ...always },
  language_saved: 'Spotter przejdzie na nowy język, gdy jego okno wczyta się ponownie.',
  language_now: 'Wczytaj teraz',
  sections: 'Działy',
  parts: { capture: 'Formularz', photos: 'Prywatność i rozmiar zdjęć' },
  choose: 'Wygląd i język',
  storage: {
    title: 'Miejsce na tym laptopie',
    photos: 'Zdjęcia',
    rest: 'Cała reszta',
    database: 'Zgłoszenia, szkice i miniatury',
    journal: 'Kopia zgłoszeń z kolejki',
    journal_value: (size, entries) =>
      entries === 0 ? bytes(size) : `${bytes(size)}, ${items(entries)}`,
    unknown: 'w tej chwili niedostępne',
    room: 'Wolne miejsce na tym dysku',
    text: 'Zgłoszenia z kolejki nigdy nie są usuwane, aby zwolnić miejsce. Wyżej można wybrać, jak długo zostają dostarczone zdjęcia.',
    measuring: 'Sprawdzanie…',
  },
  copies: {
    title: 'Codzienne kopie zapasowe',
    text: 'Raz dziennie Spotter robi kopię zapasową zgłoszeń z tego laptopa i przechowuje siedem ostatnich. Jeśli coś pójdzie bardzo źle, można przywrócić jedną z nich. Zdjęć nie ma w kopiach. Zostają na swoim miejscu.',
    looking: 'Szukanie kopii zapasowych…',
    none: 'Nie ma jeszcze kopii zapasowej. Spotter robi ją każdego dnia, gdy działa.',
    unknown: 'W tej chwili nie da się odczytać kopii zapasowych.',
    restore: 'Przywróć…',
    restore_of: (at) => `Przywróć kopię zapasową: ${f.moment(at)}…`,
    ask: 'Przywrócić tę kopię zapasową?',
    ask_text: (at) => `Zgłoszenia na tym laptopie będą takie jak ${f.moment(at)}.`,
    gone: 'Wszystko, co zapisano lub zmieniono na tym laptopie później, zniknie.',
    waiting: 'Zgłoszenia czekające na wysłanie zostaną i będą wysłane potem.',
    aside: 'Nic nie zostanie usunięte. Spotter przeniesie obecne zgłoszenia do osobnego folderu.',
    go: 'Przywróć',
    working: (at) => `Przywracanie kopii zapasowej: ${f.moment(at)}. Nie zamykaj Spottera…`,
    done: (at) => `Gotowe. Zgłoszenia są takie jak ${f.moment(at)}.`,
    done_text: (folder) => `Poprzednie zgłoszenia są w folderze ${folder}.`,
    not_running: 'Spotter jeszcze się całkiem nie uruchomił. Wciąż próbuje.',
    failed: 'Kopia zapasowa nie została przywrócona.',
  },
  everything: {
    title: 'Eksport i import',
    text: 'Cała praca z tego laptopa w jednym pliku: zgłoszenia z kolejki, szkice, ich zdjęcia i te ustawienia. W pliku nie ma tokena dostępu.',
    export: 'Eksportuj wszystko',
    import: 'Importuj',
    exporting: (done) => `Zapisywanie pliku: ${bytes(done)}`,
    exporting_of: (done, size) => `Zapisywanie pliku: ${bytes(done)} z około ${bytes(size)}`,
    stop: 'Zatrzymaj',
    stopped: 'Zatrzymano. Nie zapisano pliku.',
    exported: (name) => `${name} jest w pobranych plikach.`,
    failed: 'Nie udało się zapisać pliku. Na tym laptopie nic się nie zmieniło.',
    needs_connection:
      'Najpierw się połącz. Spotter wysyła zaimportowane zgłoszenia w imieniu zalogowanej osoby.',
    opened: (name) => `${name} można zaimportować.`,
    look: 'Obejrzyj',
    offer_title: 'Zaimportować ten plik?',
    from: (at) => `Wyeksportowano ${f.moment(at)}.`,
    take: 'Importuj',
    waiting: (n, m, size) =>
      m === 0
        ? `W kolejce: ${items(n)}`
        : `W kolejce: ${items(n)}${with_photos(m)}, ${bytes(size)}`,
    drafts: (n, m) => `Szkice: ${f.number(n)}${with_photos(m)}`,
    settings: 'Ustawienia: język, motyw, zdjęcia',
    nothing: 'W pliku nie ma nic do zaimportowania.',
    go: 'Importuj',
    photo: (k, n) => `Zdjęcie ${f.number(k)} z ${f.number(n)}`,
    done: (waiting, drafts, settings) =>
      waiting + drafts === 0 && !settings
        ? 'Wszystko z tego pliku już tu jest.'
        : `Zaimportowano: ${[
            ...(waiting > 0 ? [items(waiting)] : []),
            ...(drafts > 0 ? [count(drafts, '# szkic', '# szkice', '# szkiców')] : []),
            ...(settings ? ['ustawienia'] : []),
          ].join(', ')}.`,
  },
  about: 'O Spotterze',
  version: 'Wersja Spottera',
  shell: 'Działa',
  shells: { electron: 'we własnym oknie', browser: 'w oknie przeglądarki', test: 'w teście' },
  platform: 'System',
  node: 'Node',
  waiting: 'W kolejce',
  waiting_none: 'nic',
  copy: 'Kopiuj diagnostykę',
  copy_hint: 'Wersje i liczby jako tekst. Bez tokena, nazwisk i opisów.',
  copied: 'Diagnostyka skopiowana.',
  diagnostics: 'Diagnostyka',
  show_diagnostics: 'Pokaż diagnostykę',
  licences: {
    show: 'Licencje innych autorów',
    about:
      'Spotter jest na licencji MIT. Zbudowano go z poniższych pakietów, a każdy ma własną licencję.',
    replace:
      'libheif (obrazy HEIC) i libvips (miniatury) są na licencji LGPL. Każdy jest osobnym plikiem i można go zastąpić zmienioną wersją: libheif to libheif.js w folderze okna, libvips jest w node_modules/@img. LICENSES.txt w folderze programu mówi jak.',
    find: 'Znajdź pakiet lub licencję',
    found: (n) => count(n, '# pakiet', '# pakiety', '# pakietów'),
    none: 'Brak wyników.',
    no_text: 'Ten pakiet nie ma tekstu licencji.',
    failed: 'Nie udało się odczytać listy. Otwórz ten dział ponownie.',
  },
  copy_failed: 'Nie udało się skopiować. Zaznacz tekst i skopiuj go.',
  saved: 'Ustawienie zapisane.',
};
