/** The phone page's words. They are separate, because the page loads nothing of the window; the phone's language decides. */
import { chooseLanguage, type Language } from '../contract/languages.ts';
import type { PhoneFile } from '../contract/phone/phone.ts';

type Refusal = NonNullable<PhoneFile['why']>;

export interface PhoneWords {
  readonly title: string;
  readonly choose: string;
  readonly more: string;
  readonly joining: string;
  /** Number of files on the laptop, out of all chosen files. */
  readonly on_laptop: (n: number, all: number) => string;
  readonly sending: (n: number, all: number) => string;
  readonly keep_open: string;
  readonly lost: string;
  readonly lost_todo: string;
  readonly taken: string;
  readonly old_code: string;
  readonly no_code: string;
  readonly left_out: (n: number, most: number) => string;
  readonly states: {
    readonly waiting: string;
    readonly sending: (sent: string, size: string) => string;
    readonly checking: string;
    readonly on_laptop: string;
    readonly asks: string;
    readonly unread: string;
  };
  readonly refused: Readonly<Record<Refusal, string>>;
}

const en: PhoneWords = {
  title: 'Photos for the report',
  choose: 'Choose photos or videos',
  more: 'Add more',
  joining: 'Connecting to the laptop…',
  on_laptop: (n, all) => `${n} of ${all} on the laptop`,
  sending: (n, all) => `Sending: ${n} of ${all} on the laptop`,
  keep_open: 'Keep this page open and the screen on until all are on the laptop.',
  lost: 'The laptop does not answer',
  lost_todo:
    'Sending carries on as soon as it does. If the laptop shows a new code, scan that one.',
  taken: 'Another phone is using this code. On the laptop press “New code”, then scan it.',
  old_code: 'This code is no longer valid. Scan the code on the laptop again.',
  no_code: 'Scan the code on the laptop with this phone’s camera.',
  left_out: (n, most) =>
    `${n} not added: one code is good for ${most}. Press “New code” on the laptop for the rest.`,
  states: {
    waiting: 'Waiting',
    sending: (sent, size) => `${sent} of ${size}`,
    checking: 'Checking…',
    on_laptop: 'On the laptop',
    asks: 'See the question on the laptop',
    unread: 'This phone could not read it. Choose it again.',
  },
  refused: {
    not_a_photo: 'Not added: not a photo or video',
    empty: 'Not added: the file is empty',
    too_large: 'Not added: over 2 GB',
    too_many: 'Not added: too many for one code',
    no_space: 'Not added: the laptop’s disk is full',
    differs: 'Not added: damaged on the way. Choose it again.',
    other: 'Not added: see the laptop',
  },
};

const es: PhoneWords = {
  title: 'Fotos para el reporte',
  choose: 'Elegir fotos o videos',
  more: 'Agregar más',
  joining: 'Conectando con la laptop…',
  on_laptop: (n, all) => `${n} de ${all} en la laptop`,
  sending: (n, all) => `Enviando: ${n} de ${all} en la laptop`,
  keep_open: 'Deje esta página abierta y la pantalla encendida hasta que todas estén en la laptop.',
  lost: 'La laptop no responde',
  lost_todo: 'El envío sigue en cuanto responda. Si la laptop muestra otro código, escanéelo.',
  taken: 'Otro teléfono está usando este código. En la laptop presione “Código nuevo” y escanéelo.',
  old_code: 'Este código ya no vale. Escanee de nuevo el código de la laptop.',
  no_code: 'Escanee el código de la laptop con la cámara de este teléfono.',
  left_out: (n, most) =>
    `${n} sin agregar: un código admite ${most}. Presione “Código nuevo” en la laptop para el resto.`,
  states: {
    waiting: 'Pendiente',
    sending: (sent, size) => `${sent} de ${size}`,
    checking: 'Comprobando…',
    on_laptop: 'En la laptop',
    asks: 'Vea la pregunta en la laptop',
    unread: 'Este teléfono no pudo leerla. Elíjala de nuevo.',
  },
  refused: {
    not_a_photo: 'No agregado: no es foto ni video',
    empty: 'No agregado: el archivo está vacío',
    too_large: 'No agregado: más de 2 GB',
    too_many: 'No agregado: demasiados para un código',
    no_space: 'No agregado: el disco de la laptop está lleno',
    differs: 'No agregado: se dañó por el camino. Elíjalo de nuevo.',
    other: 'No agregado: mire la laptop',
  },
};

const pl: PhoneWords = {
  title: 'Zdjęcia do zgłoszenia',
  choose: 'Wybierz zdjęcia lub filmy',
  more: 'Dodaj więcej',
  joining: 'Łączenie z laptopem…',
  on_laptop: (n, all) => `Na laptopie: ${n} z ${all}`,
  sending: (n, all) => `Wysyłanie, na laptopie: ${n} z ${all}`,
  keep_open: 'Nie zamykaj tej strony i nie wygaszaj ekranu, aż wszystkie będą na laptopie.',
  lost: 'Laptop nie odpowiada',
  lost_todo: 'Wysyłanie ruszy, gdy tylko odpowie. Jeśli laptop pokazuje nowy kod, zeskanuj go.',
  taken: 'Tego kodu używa inny telefon. Na laptopie naciśnij „Nowy kod” i zeskanuj go.',
  old_code: 'Ten kod już nie działa. Zeskanuj ponownie kod z laptopa.',
  no_code: 'Zeskanuj kod z laptopa aparatem tego telefonu.',
  left_out: (n, most) =>
    `Nie dodano: ${n}. Jeden kod wystarcza na ${most}. Dla reszty naciśnij na laptopie „Nowy kod”.`,
  states: {
    waiting: 'W kolejce',
    sending: (sent, size) => `${sent} z ${size}`,
    checking: 'Sprawdzanie…',
    on_laptop: 'Na laptopie',
    asks: 'Zobacz pytanie na laptopie',
    unread: 'Telefon nie mógł tego odczytać. Wybierz ponownie.',
  },
  refused: {
    not_a_photo: 'Nie dodano: to nie zdjęcie ani film',
    empty: 'Nie dodano: plik jest pusty',
    too_large: 'Nie dodano: ponad 2 GB',
    too_many: 'Nie dodano: za dużo na jeden kod',
    no_space: 'Nie dodano: dysk laptopa jest pełny',
    differs: 'Nie dodano: uszkodzone po drodze. Wybierz ponownie.',
    other: 'Nie dodano: spójrz na laptop',
  },
};

const catalogues: Readonly<Record<Language, PhoneWords>> = { en, es, pl };

/** Chooses the first of the phone's languages that Spotter speaks. */
export const wordsFor = (
  preferred: readonly string[],
): { readonly lang: Language; readonly words: PhoneWords } => {
  const lang = chooseLanguage('system', preferred);
  return { lang, words: catalogues[lang] };
};
