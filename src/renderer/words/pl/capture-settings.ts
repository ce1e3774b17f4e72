/** Settings of the form for a new near miss, loaded on demand. */
import type { Words } from '../shape.ts';

export const capture_settings: Words['capture_settings'] = {
  title: 'Nowe zgłoszenia',
  people: 'Wskazywanie osób',
  peoples: { off: 'Nie pytaj', on: 'Zawsze pytaj' },
  people_notes: {
    off: 'Formularz nie pyta, kogo to dotyczyło, dopóki nie zechcesz wskazać osoby.',
    on: 'Osoba i kontakt, których dotyczy zdarzenie, są zawsze w formularzu.',
  },
  fields: 'Pola formularza tej budowy',
  fields_text:
    'Spotter rozpoznaje te pola po nazwach. Jeśli firma nazywa któreś inaczej, wybierz je tutaj.',
  by_label: (label) => `Automatycznie (${label === '' ? 'brak' : label})`,
  no_field: 'Żadne',
  keys: 'Skrót do nowego zgłoszenia',
  keys_choices: { on: (keys) => keys, off: 'Wyłączony' },
  keys_refused: (keys) => `Inny program używa ${keys}, więc w Spotterze skrót nie działa.`,
  keys_none_free: 'Pozostałe skróty też są zajęte.',
  keys_take: (keys) => `Użyj ${keys}`,
  key_shift: 'Shift',
  keys_notes: {
    on: 'Działa w każdym programie, gdy Spotter jest uruchomiony, chyba że inny program używa tych klawiszy.',
    off: 'Alt + N zawsze działa w oknie Spottera.',
  },
  keys_browser:
    'Alt + N w oknie Spottera. Skrót działający w każdym programie wymaga aplikacji na komputer.',
};
