/**
 * The entry page's sentences in every language. They are separate from the window's words, because the page is shown before a
 * window is admitted and loads nothing of the window.
 */
import type { Language } from '../contract/languages.ts';

interface EntryWords {
  readonly opening: string;
  readonly spent: string;
  readonly elsewhere: string;
}

export const entryWords = {
  en: {
    opening: 'Opening Spotter…',
    spent:
      'This address has been used or is too old. Go to the window where you started Spotter and press Enter for a new one.',
    elsewhere: 'Spotter is open in another window. You can close this one.',
  },
  es: {
    opening: 'Abriendo Spotter…',
    spent:
      'Esta dirección ya se usó o es demasiado antigua. Vaya a la ventana donde inició Spotter y presione Enter para recibir una nueva.',
    elsewhere: 'Spotter está abierto en otra ventana. Puede cerrar esta.',
  },
  pl: {
    opening: 'Otwieranie Spottera…',
    spent:
      'Ten adres był już użyty albo jest za stary. Wróć do okna, w którym uruchomiono Spottera, i naciśnij Enter, aby dostać nowy.',
    elsewhere: 'Spotter jest otwarty w innym oknie. To okno można zamknąć.',
  },
} as const satisfies Readonly<Record<Language, EntryWords>>;
