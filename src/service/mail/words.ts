/** The sentences of mails and of the pages behind their addresses, in every language. They hold numbers, dates and addresses only. */
import type { Language } from '../../contract/languages.ts';
import type { RecordMailKind } from '../../contract/rest/access/mail.ts';
import type { WeeklyFigures } from '../domain/mail/weekly.ts';

interface About {
  /** `12-3` */
  readonly number: string;
  /** `2026-11-30`; null: none is set. */
  readonly due: string | null;
}

interface Words {
  readonly mails: Readonly<
    Record<
      RecordMailKind,
      { readonly subject: (about: About) => string; readonly text: (about: About) => string }
    >
  >;
  readonly weekly: {
    readonly subject: (figures: WeeklyFigures) => string;
    readonly lines: (figures: WeeklyFigures) => readonly string[];
  };
  readonly open: string;
  readonly why: string;
  readonly stop: string;
  readonly page: {
    readonly title: string;
    readonly ask: string;
    readonly press: string;
    readonly done: string;
  };
  readonly open_page: {
    readonly title: (number: string) => string;
    readonly press: string;
    readonly otherwise: (number: string) => string;
  };
}

const en: Words = {
  mails: {
    assigned: {
      subject: ({ number }) => `Near miss ${number}: you are named for the follow-up`,
      text: ({ number, due }) =>
        `You are named for the follow-up of near miss ${number}.${due === null ? '' : ` It is due on ${due}.`}`,
    },
    due_tomorrow: {
      subject: ({ number }) => `Near miss ${number}: follow-up due tomorrow`,
      text: ({ number, due }) =>
        `Your follow-up of near miss ${number} is due tomorrow, on ${due}.`,
    },
    overdue: {
      subject: ({ number }) => `Near miss ${number}: follow-up overdue`,
      text: ({ number, due }) =>
        `Your follow-up of near miss ${number} was due on ${due} and is open.`,
    },
    answered: {
      subject: ({ number }) => `Near miss ${number}: your report was answered`,
      text: ({ number }) =>
        `Near miss ${number}, which you reported, has an answer. Read it in Spotter.`,
    },
    done: {
      subject: ({ number }) => `Near miss ${number}: follow-up done`,
      text: ({ number }) => `The follow-up of near miss ${number}, which you reported, is done.`,
    },
    severe: {
      subject: ({ number }) => `Near miss ${number}: highest potential severity`,
      text: ({ number }) => `Near miss ${number} has the highest potential severity.`,
    },
    commented: {
      subject: ({ number }) => `Near miss ${number}: new comment`,
      text: ({ number }) => `Somebody commented on near miss ${number}. Read it in Spotter.`,
    },
  },
  weekly: {
    subject: ({ from, to }) => `Near misses from ${from} to ${to}`,
    lines: ({ from, to, reported, severe, done, open, overdue }) => [
      `The week from ${from} to ${to} in the projects that you can see:`,
      '',
      `Near misses reported: ${reported}`,
      `  with the highest potential severity: ${severe}`,
      `Follow-ups done: ${done}`,
      `Follow-ups open now: ${open}`,
      `  overdue: ${overdue}`,
      '',
      'Private incidents are not counted.',
    ],
  },
  open: 'Open it in Spotter:',
  why: 'Spotter writes to this address because it is your login. Nobody reads replies.',
  stop: 'No more mail to you from this company:',
  page: {
    title: 'Mail from Spotter',
    ask: 'Press the button to get no more mail from this company. Other people still get theirs.',
    press: 'Stop mail',
    done: 'You get no more mail from this company.',
  },
  open_page: {
    title: (number) => `Near miss ${number}`,
    press: 'Open in Spotter',
    otherwise: (number) =>
      `If nothing opens, Spotter is not installed on this computer. Start Spotter where you use it, change to the project, and type ${number} into the search field.`,
  },
};

const es: Words = {
  mails: {
    assigned: {
      subject: ({ number }) => `Reporte ${number}: el seguimiento está a su cargo`,
      text: ({ number, due }) =>
        `El seguimiento del reporte ${number} está a su cargo.${due === null ? '' : ` Vence el ${due}.`}`,
    },
    due_tomorrow: {
      subject: ({ number }) => `Reporte ${number}: el seguimiento vence mañana`,
      text: ({ number, due }) => `Su seguimiento del reporte ${number} vence mañana, el ${due}.`,
    },
    overdue: {
      subject: ({ number }) => `Reporte ${number}: seguimiento vencido`,
      text: ({ number, due }) =>
        `Su seguimiento del reporte ${number} venció el ${due} y sigue abierto.`,
    },
    answered: {
      subject: ({ number }) => `Reporte ${number}: su reporte tiene respuesta`,
      text: ({ number }) =>
        `El reporte ${number}, que usted envió, tiene una respuesta. Léala en Spotter.`,
    },
    done: {
      subject: ({ number }) => `Reporte ${number}: seguimiento hecho`,
      text: ({ number }) => `El seguimiento del reporte ${number}, que usted envió, está hecho.`,
    },
    severe: {
      subject: ({ number }) => `Reporte ${number}: gravedad potencial máxima`,
      text: ({ number }) => `El reporte ${number} tiene la gravedad potencial máxima.`,
    },
    commented: {
      subject: ({ number }) => `Reporte ${number}: nuevo comentario`,
      text: ({ number }) => `Hay un comentario nuevo en el reporte ${number}. Léalo en Spotter.`,
    },
  },
  weekly: {
    subject: ({ from, to }) => `Reportes del ${from} al ${to}`,
    lines: ({ from, to, reported, severe, done, open, overdue }) => [
      `La semana del ${from} al ${to} en los proyectos que usted ve:`,
      '',
      `Reportes recibidos: ${reported}`,
      `  con gravedad potencial máxima: ${severe}`,
      `Seguimientos hechos: ${done}`,
      `Seguimientos abiertos ahora: ${open}`,
      `  vencidos: ${overdue}`,
      '',
      'Los incidentes privados no se cuentan.',
    ],
  },
  open: 'Ábralo en Spotter:',
  why: 'Spotter escribe a esta dirección porque es su usuario. Nadie lee las respuestas.',
  stop: 'Para no recibir más correo de esta empresa:',
  page: {
    title: 'Correo de Spotter',
    ask: 'Presione el botón para no recibir más correo de esta empresa. Los demás siguen recibiendo el suyo.',
    press: 'No recibir más correo',
    done: 'Ya no recibirá correo de esta empresa.',
  },
  open_page: {
    title: (number) => `Reporte ${number}`,
    press: 'Abrir en Spotter',
    otherwise: (number) =>
      `Si no se abre nada, Spotter no está instalado en esta computadora. Inicie Spotter donde lo usa, cambie al proyecto y escriba ${number} en el campo de búsqueda.`,
  },
};

const pl: Words = {
  mails: {
    assigned: {
      subject: ({ number }) => `Zdarzenie ${number}: działanie dla Ciebie`,
      text: ({ number, due }) =>
        `Masz wykonać działanie do zdarzenia ${number}.${due === null ? '' : ` Termin: ${due}.`}`,
    },
    due_tomorrow: {
      subject: ({ number }) => `Zdarzenie ${number}: jutro mija termin działania`,
      text: ({ number, due }) =>
        `Termin Twojego działania do zdarzenia ${number} mija jutro, ${due}.`,
    },
    overdue: {
      subject: ({ number }) => `Zdarzenie ${number}: działanie po terminie`,
      text: ({ number, due }) =>
        `Termin Twojego działania do zdarzenia ${number} minął ${due}, a działanie jest otwarte.`,
    },
    answered: {
      subject: ({ number }) => `Zdarzenie ${number}: jest odpowiedź na Twoje zgłoszenie`,
      text: ({ number }) =>
        `Twoje zgłoszenie, zdarzenie ${number}, ma odpowiedź. Przeczytaj ją w Spotterze.`,
    },
    done: {
      subject: ({ number }) => `Zdarzenie ${number}: działanie wykonane`,
      text: ({ number }) =>
        `Działanie do Twojego zgłoszenia, zdarzenia ${number}, zostało wykonane.`,
    },
    severe: {
      subject: ({ number }) => `Zdarzenie ${number}: najcięższe możliwe skutki`,
      text: ({ number }) => `Zdarzenie ${number} ma najcięższe możliwe skutki.`,
    },
    commented: {
      subject: ({ number }) => `Zdarzenie ${number}: nowy komentarz`,
      text: ({ number }) => `Do zdarzenia ${number} dodano komentarz. Przeczytaj go w Spotterze.`,
    },
  },
  weekly: {
    subject: ({ from, to }) => `Zdarzenia od ${from} do ${to}`,
    lines: ({ from, to, reported, severe, done, open, overdue }) => [
      `Tydzień od ${from} do ${to} na budowach, które widzisz:`,
      '',
      `Zgłoszone zdarzenia: ${reported}`,
      `  z najcięższymi możliwymi skutkami: ${severe}`,
      `Wykonane działania: ${done}`,
      `Otwarte działania: ${open}`,
      `  po terminie: ${overdue}`,
      '',
      'Prywatnych zadań i stref nie wliczono.',
    ],
  },
  open: 'Otwórz w Spotterze:',
  why: 'Spotter pisze na ten adres, bo to Twój login. Nikt nie czyta odpowiedzi.',
  stop: 'Koniec e-maili z tej firmy:',
  page: {
    title: 'E-maile ze Spottera',
    ask: 'Naciśnij przycisk, aby nie dostawać więcej e-maili z tej firmy. Inne osoby nadal dostają swoje.',
    press: 'Nie wysyłaj więcej',
    done: 'Nie będzie więcej e-maili z tej firmy.',
  },
  open_page: {
    title: (number) => `Zdarzenie ${number}`,
    press: 'Otwórz w Spotterze',
    otherwise: (number) =>
      `Jeśli nic się nie otwiera, Spottera nie ma na tym komputerze. Uruchom Spottera tam, gdzie go używasz, przejdź na budowę i wpisz ${number} w pole wyszukiwania.`,
  },
};

export const mailWords: Readonly<Record<Language, Words>> = { en, es, pl };
