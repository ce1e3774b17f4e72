/** The words of the report page, in each language. The person may choose another than the phone's. */
import type { BoxAnswer, BoxRefusal } from '../../contract/phone/box-messages.ts';
import type { Language } from '../../contract/languages.ts';

type Found = Extract<BoxAnswer, { kind: 'found' }>;

export interface ReportWords {
  readonly title: string;
  readonly languages: string;
  readonly tabs: { readonly report: string; readonly answer: string };
  readonly parts: string;
  readonly about: string;
  readonly what: string;
  readonly name: string;
  readonly add: string;
  readonly remove: (name: string) => string;
  readonly remove_short: string;
  readonly left_out: (most: number) => string;
  readonly send: string;
  readonly sending: string;
  readonly sent: string;
  readonly keep_open: string;
  readonly lost: string;
  readonly unsent: string;
  readonly old: string;
  readonly no_code: string;
  readonly code: string;
  readonly code_about: string;
  readonly another: string;
  readonly ask: string;
  readonly show: string;
  readonly asking: string;
  readonly six: string;
  readonly unknown: string;
  readonly later: string;
  readonly silent: string;
  readonly found: (found: Pick<Found, 'state' | 'number'>) => string;
  readonly reason: string;
  readonly done: string;
  readonly none_yet: string;
  /** `photo`: its place in the list, from 1. */
  readonly refused: Readonly<Record<BoxRefusal | 'unread', (photo: number | null) => string>>;
}

const en: ReportWords = {
  title: 'Report something unsafe',
  languages: 'Language',
  tabs: { report: 'Report', answer: 'Answer' },
  parts: 'Report or answer',
  about:
    'Goes to the site’s laptop only. A supervisor reads it and decides what to do. You need not say who you are.',
  what: 'What happened, and where?',
  name: 'Your name (only if you want)',
  add: 'Add photos',
  remove: (name) => `Remove ${name}`,
  remove_short: 'Remove',
  left_out: (most) => `Only ${most} photos fit into one report.`,
  send: 'Send the report',
  sending: 'Sending…',
  sent: 'The laptop has the report. Thank you.',
  keep_open: 'Keep this page open until the code appears.',
  lost: 'The laptop does not answer. Sending goes on as soon as it does. Stay on the site’s Wi-Fi.',
  unsent: 'It was not sent. Choose your photos again, then send.',
  old: 'This poster is no longer valid. Nothing was sent. Scan a newer one, or tell a supervisor.',
  no_code: 'Scan the code on the poster with this phone’s camera.',
  code: 'Your code',
  code_about:
    'Write it down or take a screenshot. With it, under “Answer”, you see what was done. It does not say who you are.',
  another: 'Send another report',
  ask: 'Your code (six letters)',
  show: 'Show the answer',
  asking: 'Asking the laptop…',
  six: 'A code has six letters.',
  unknown: 'No report has this code. Check the letters.',
  later: 'Too many codes were tried. Ask again in an hour.',
  silent: 'The laptop does not answer. Are you on the site’s Wi-Fi?',
  found: ({ state, number }) => {
    if (state === 'waiting') return 'A supervisor has not dealt with it yet.';
    if (state === 'discarded') return 'A supervisor decided not to file it.';
    return number === '' ? 'It was filed.' : `It was filed as number ${number}.`;
  },
  reason: 'Why:',
  done: 'What was done:',
  none_yet: 'There is no answer yet.',
  refused: {
    empty: () => 'Write what happened, or add a photo.',
    too_large: (photo) =>
      photo === null
        ? 'The photos are too large together. Remove some.'
        : `Photo ${photo} is too large. Remove it.`,
    not_a_photo: (photo) => `File ${photo ?? 1} is not a photo. Remove it.`,
    differs: (photo) => `Photo ${photo ?? 1} was damaged on the way. Send again.`,
    often: () => 'This phone has sent several reports. Wait a minute, then send again.',
    full: () => 'The box is full. Tell a supervisor, and send again later.',
    no_space: () => 'The laptop’s disk is full. Tell a supervisor.',
    other: () => 'The laptop could not take it. Send again.',
    unread: (photo) => `This phone cannot read photo ${photo ?? 1}. Remove it.`,
  },
};

const es: ReportWords = {
  title: 'Avise de algo inseguro',
  languages: 'Idioma',
  tabs: { report: 'Reportar', answer: 'Respuesta' },
  parts: 'Reportar o ver la respuesta',
  about:
    'Llega solo a la laptop de la obra. Un supervisor lo lee y decide qué hacer. No tiene que decir quién es.',
  what: '¿Qué pasó y dónde?',
  name: 'Su nombre (solo si quiere)',
  add: 'Agregar fotos',
  remove: (name) => `Quitar ${name}`,
  remove_short: 'Quitar',
  left_out: (most) => `En un reporte caben solo ${most} fotos.`,
  send: 'Enviar el reporte',
  sending: 'Enviando…',
  sent: 'La laptop tiene el reporte. Gracias.',
  keep_open: 'Deje esta página abierta hasta que aparezca el código.',
  lost: 'La laptop no responde. El envío sigue en cuanto responda. Quédese en el Wi-Fi de la obra.',
  unsent: 'No se envió. Elija sus fotos otra vez y envíe.',
  old: 'Este cartel ya no vale. No se envió nada. Escanee uno más nuevo o avise a un supervisor.',
  no_code: 'Escanee el código del cartel con la cámara de este teléfono.',
  code: 'Su código',
  code_about:
    'Anótelo o haga una captura. Con él verá en “Respuesta” qué se hizo. No dice quién es usted.',
  another: 'Enviar otro reporte',
  ask: 'Su código (seis letras)',
  show: 'Ver la respuesta',
  asking: 'Preguntando a la laptop…',
  six: 'Un código tiene seis letras.',
  unknown: 'Ningún reporte tiene este código. Revise las letras.',
  later: 'Se probaron demasiados códigos. Pregunte otra vez en una hora.',
  silent: 'La laptop no responde. ¿Está en el Wi-Fi de la obra?',
  found: ({ state, number }) => {
    if (state === 'waiting') return 'Un supervisor todavía no lo ha visto.';
    if (state === 'discarded') return 'Un supervisor decidió no registrarlo.';
    return number === '' ? 'Quedó registrado.' : `Quedó registrado con el número ${number}.`;
  },
  reason: 'Por qué:',
  done: 'Qué se hizo:',
  none_yet: 'Todavía no hay respuesta.',
  refused: {
    empty: () => 'Escriba qué pasó o agregue una foto.',
    too_large: (photo) =>
      photo === null
        ? 'Las fotos juntas son demasiado grandes. Quite algunas.'
        : `La foto ${photo} es demasiado grande. Quítela.`,
    not_a_photo: (photo) => `El archivo ${photo ?? 1} no es una foto. Quítelo.`,
    differs: (photo) => `La foto ${photo ?? 1} se dañó por el camino. Envíe otra vez.`,
    often: () => 'Este teléfono ya envió varios reportes. Espere un minuto y envíe otra vez.',
    full: () => 'El buzón está lleno. Avise a un supervisor y envíe más tarde.',
    no_space: () => 'El disco de la laptop está lleno. Avise a un supervisor.',
    other: () => 'La laptop no pudo recibirlo. Envíe otra vez.',
    unread: (photo) => `Este teléfono no puede leer la foto ${photo ?? 1}. Quítela.`,
  },
};

const pl: ReportWords = {
  title: 'Zgłoś zagrożenie',
  languages: 'Język',
  tabs: { report: 'Zgłoszenie', answer: 'Odpowiedź' },
  parts: 'Zgłoszenie lub odpowiedź',
  about:
    'Trafia tylko na laptop budowy. Kierownik czyta je i decyduje, co zrobić. Nie musisz mówić, kim jesteś.',
  what: 'Co się stało i gdzie?',
  name: 'Imię i nazwisko (tylko jeśli chcesz)',
  add: 'Dodaj zdjęcia',
  remove: (name) => `Usuń ${name}`,
  remove_short: 'Usuń',
  left_out: (most) => `W jednym zgłoszeniu mieści się tylko ${most} zdjęć.`,
  send: 'Wyślij zgłoszenie',
  sending: 'Wysyłanie…',
  sent: 'Laptop ma zgłoszenie. Dziękujemy.',
  keep_open: 'Nie zamykaj tej strony, aż pojawi się kod.',
  lost: 'Laptop nie odpowiada. Wysyłanie ruszy, gdy tylko odpowie. Zostań w sieci Wi-Fi budowy.',
  unsent: 'Nie wysłano. Wybierz zdjęcia jeszcze raz i wyślij.',
  old: 'Ten plakat już nie działa. Nic nie wysłano. Zeskanuj nowszy albo powiedz kierownikowi.',
  no_code: 'Zeskanuj kod z plakatu aparatem tego telefonu.',
  code: 'Twój kod',
  code_about:
    'Zapisz go albo zrób zrzut ekranu. Z nim zobaczysz w „Odpowiedź”, co zrobiono. Nie mówi, kim jesteś.',
  another: 'Wyślij kolejne zgłoszenie',
  ask: 'Twój kod (sześć liter)',
  show: 'Pokaż odpowiedź',
  asking: 'Pytanie do laptopa…',
  six: 'Kod ma sześć liter.',
  unknown: 'Żadne zgłoszenie nie ma tego kodu. Sprawdź litery.',
  later: 'Wypróbowano za dużo kodów. Zapytaj ponownie za godzinę.',
  silent: 'Laptop nie odpowiada. Czy jesteś w sieci Wi-Fi budowy?',
  found: ({ state, number }) => {
    if (state === 'waiting') return 'Kierownik jeszcze się tym nie zajął.';
    if (state === 'discarded') return 'Kierownik postanowił tego nie rejestrować.';
    return number === '' ? 'Zarejestrowano.' : `Zarejestrowano pod numerem ${number}.`;
  },
  reason: 'Dlaczego:',
  done: 'Co zrobiono:',
  none_yet: 'Nie ma jeszcze odpowiedzi.',
  refused: {
    empty: () => 'Napisz, co się stało, albo dodaj zdjęcie.',
    too_large: (photo) =>
      photo === null
        ? 'Zdjęcia są razem za duże. Usuń kilka.'
        : `Zdjęcie ${photo} jest za duże. Usuń je.`,
    not_a_photo: (photo) => `Plik ${photo ?? 1} nie jest zdjęciem. Usuń go.`,
    differs: (photo) => `Zdjęcie ${photo ?? 1} uszkodziło się po drodze. Wyślij ponownie.`,
    often: () => 'Ten telefon wysłał już kilka zgłoszeń. Odczekaj minutę i wyślij ponownie.',
    full: () => 'Skrzynka jest pełna. Powiedz kierownikowi i wyślij później.',
    no_space: () => 'Dysk laptopa jest pełny. Powiedz kierownikowi.',
    other: () => 'Laptop nie mógł tego przyjąć. Wyślij ponownie.',
    unread: (photo) => `Telefon nie może odczytać zdjęcia ${photo ?? 1}. Usuń je.`,
  },
};

export const reportWords: Readonly<Record<Language, ReportWords>> = { en, es, pl };
