/** Settings of photos: how they are imported, when they are sent, how long they stay. */
import type { Words } from '../shape.ts';
import { bytes, photos } from './say.ts';

export const photo_settings: Words['photo_settings'] = {
  title: 'Zdjęcia',
  privacy: 'Położenie i dane osobowe w zdjęciach',
  privacies: { on: 'Usuwaj', off: 'Zachowuj' },
  privacy_notes: {
    on: 'Pozycja GPS, nazwiska, numery seryjne',
    off: 'Zdjęcia są wysyłane bez zmian',
  },
  size: 'Rozmiar zdjęć',
  sizes: { original: 'Oryginalny', '2560': '2560 pikseli', '1600': '1600 pikseli' },
  size_notes: {
    original: 'Taki jak z aparatu',
    '2560': 'Wypełnia duży ekran',
    '1600': 'Do wolnych sieci',
  },
  sending: 'Kiedy wysyłać zdjęcia',
  sendings: { always: 'Od razu', good_link: 'Przez Wi-Fi', by_hand: 'Ręcznie' },
  sending_notes: {
    always: 'Najpierw tekst, potem zdjęcia',
    good_link: 'Nie w sieci komórkowej ani wolnej',
    by_hand: 'Tekst od razu, zdjęcia na polecenie',
  },
  keep: 'Dostarczone zdjęcia na tym laptopie',
  keeps: { '0': 'Usuwaj od razu', '7': '7 dni', '30': '30 dni' },
  keep_notes: {
    '0': 'Gdy ma je serwer',
    '7': 'Po dostarczeniu',
    '30': 'Po dostarczeniu',
  },
  storage: {
    title: 'Zdjęcia na tym laptopie',
    here: 'Teraz na tym laptopie',
    delivered: 'Już dostarczone, do późniejszego usunięcia',
    freed: 'Miejsce zwolnione po dostarczonych zdjęciach',
    files: (n, size) => (n === 0 ? '0 MB' : `${photos(n)}, ${bytes(size)}`),
    unknown: 'W tej chwili nie da się odczytać, ile miejsca zajmują zdjęcia.',
  },
  keep_note:
    'Zdjęcie jest dostarczone, gdy serwer wykazał, że ma każdy jego bajt. Dopiero potem Spotter usuwa je z tego laptopa.',
  check: 'Sprawdzanie dostarczonych zdjęć',
  checks: { proof: 'Dowód serwera', bytes: 'Odczyt całego zdjęcia' },
  check_notes: {
    proof:
      'Serwer wykazuje, że ma każdy bajt: nic nie jest przesyłane drugi raz. Gdy tego nie potrafi, Spotter odczytuje zdjęcie z serwera.',
    bytes:
      'Każde zdjęcie jest pobierane i porównywane: na wolnym łączu trwa to około dwa razy dłużej.',
  },
  privacy_note: 'Sam obraz się nie zmienia, a czas zrobienia zdjęcia zostaje.',
  size_note:
    'Oryginał zostaje na tym laptopie, dopóki mniejsze zdjęcie nie zostanie dostarczone. Mniejsze zdjęcia HEIC są wysyłane jako JPEG. Filmy zachowują rozmiar.',
};
