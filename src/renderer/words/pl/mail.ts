/** Choices of mail from the server to this user. */
import type { Words } from '../shape.ts';

export const mail: Words['mail'] = {
  title: 'E-maile do Ciebie',
  to: (login) => `Serwer firmy pisze na adres ${login}:`,
  kinds: {
    assigned: 'gdy mam wykonać działanie',
    due: 'gdy termin mojego działania jest jutro lub minął',
    done: 'gdy moje zgłoszenie ma odpowiedź albo jego działanie wykonano',
    comments: 'gdy ktoś komentuje moje zgłoszenie, moje działanie lub to, co komentowałem',
    severe: 'gdy zgłoszenie ma najcięższe możliwe skutki',
    weekly: 'raz w tygodniu, z liczbami z zeszłego tygodnia',
  },
  language: 'Język e-maili',
  unreachable:
    'Serwer wysyła e-maile, ale ten login nie jest adresem e-mail. Poproś administratora o konto z adresem.',
  offline: 'E-maile można wybrać, gdy Spotter ma połączenie z serwerem.',
};
