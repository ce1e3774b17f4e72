/** The export of near misses, while it runs and in its files. */
import type { Words } from '../shape.ts';
import { count, f, near_misses } from './say.ts';

export const exporting: Words['exporting'] = {
  csv_title: 'Zapisywanie tabeli',
  zip_title: 'Zapisywanie zdarzeń ze zdjęciami',
  records: (done, of) => `zdarzenia: ${f.number(done)} z ${f.number(of)}`,
  photos: (n) => count(n, 'dotąd # zdjęcie', 'dotąd # zdjęcia', 'dotąd # zdjęć'),
  missing: (n) =>
    count(
      n,
      'Brakuje # zdjęcia, bo serwer nie odpowiedział. Plik je wymienia.',
      'Brakuje # zdjęć, bo serwer nie odpowiedział. Plik je wymienia.',
      'Brakuje # zdjęć, bo serwer nie odpowiedział. Plik je wymienia.',
    ),
  cancel: 'Zatrzymaj',
  stopped: 'Zatrzymano. Nic nie zapisano.',
  saved: (n, file) => `Zapisano ${near_misses(n)} jako ${file} w pobranych plikach.`,
  failed: 'Nie udało się zapisać pliku. Na tym laptopie nic się nie zmieniło.',
  heads: {
    number: 'Numer',
    incident: 'Zadanie lub strefa',
    reported: 'Zgłoszone',
    reported_by: 'Zgłaszający',
    photos: 'Zdjęcia',
    id: 'Numer na serwerze',
  },
  csv_name: 'zdarzenia',
  zip_name: 'zdarzenia-ze-zdjeciami',
  figures_name: 'statystyki',
};
