/** The settings of the desktop program. */
import type { Words } from '../shape.ts';

export const desktop: Words['desktop'] = {
  title: 'Aplikacja na komputer',
  by_company: 'Ustawione przez firmę',
  policy_ignored: (names) =>
    `Spotter nie może odczytać części ustawień firmy (${names}) i używa ustawień użytkownika. Zgłoszenia są bezpieczne. Powiadom informatyka.`,
  closing: 'Gdy zamykasz okno, a w kolejce są zgłoszenia',
  closings: { ask: 'Pytaj', keep_sending: 'Wysyłaj dalej', end: 'Zakończ' },
  closing_notes: {
    ask: 'Spotter zapyta, co zrobić.',
    keep_sending: 'Spotter wysyła dalej z zasobnika i kończy pracę, gdy wszystko jest wysłane.',
    end: 'Zgłoszenia w kolejce są tu bezpieczne i zostaną wysłane przy następnym otwarciu Spottera.',
  },
  notices: 'Powiadomienia',
  notice_choices: { on: 'Włączone', off: 'Wyłączone' },
  notice_notes: {
    on: 'Tylko wtedy, gdy coś wymaga uwagi albo gdy wszystko wysłano pod Twoją nieobecność.',
    off: 'Nadal widać to w oknie.',
  },
  login: 'Uruchamianie z komputerem',
  login_choices: { off: 'Wyłączone', on: 'Włączone' },
  login_notes: {
    off: 'Spottera uruchamia się ręcznie.',
    on: 'Zgłoszenia z kolejki są wysyłane, nawet gdy nikt nie otworzy Spottera.',
  },
  update: 'Aktualizacje',
  update_states: {
    off: 'Aktualizacje są wyłączone. O nowe wersje zapytaj informatyka.',
    idle: 'Spotter jest aktualny.',
    looking: 'Sprawdzanie aktualizacji…',
    failed: 'Spotter nie mógł sprawdzić aktualizacji. Nic się nie zmieniło.',
  },
  update_fetching: (version) => `Pobieranie wersji ${version}.`,
  update_ready: (version) =>
    `Wersja ${version} jest gotowa. Zostanie zainstalowana po zamknięciu Spottera.`,
  update_waits: 'Spotter jeszcze wysyła. Najpierw to dokończy.',
  update_announced: (version) =>
    `Dostępna jest wersja ${version}. Poproś informatyka o jej zainstalowanie.`,
  update_look: 'Sprawdź teraz',
  update_put_in: 'Zainstaluj i uruchom ponownie',
  graphics: 'Grafika',
  graphics_choices: { on: 'Szybka', off: 'Bezpieczna' },
  graphics_notes: {
    on: 'Używa układu graficznego tego komputera.',
    off: 'Gdy okno migocze albo zostaje białe lub czarne. Działa od następnego otwarcia Spottera.',
  },
  spelling: 'Pisownia',
  spelling_choices: { off: 'Wyłączone', on: 'Sprawdzaj podczas pisania' },
  spelling_notes: {
    off: 'Nic nie jest pobierane.',
    on: 'Jednorazowo pobiera słownik od Google. Działa od następnego otwarcia Spottera.',
  },
};
