/** A near miss that was opened by the link of a mail and cannot be shown yet. */
import type { Words } from '../shape.ts';

export const linked: Words['linked'] = {
  opening: (number) => `Otwieranie zdarzenia ${number}…`,
  elsewhere: (number) => `Zdarzenia ${number} nie ma w tej firmie`,
  elsewhere_text: (company) =>
    `Obecne połączenie: ${company}. Aby otworzyć zdarzenie, połącz się z firmą, która wysłała e-mail. Zgłoszenia w kolejce zostają bezpieczne na tym laptopie.`,
  connect: 'Połącz',
  no_project: (number) => `Brak dostępu do budowy zdarzenia ${number}`,
  no_project_text: 'Nic się nie zmieniło. Poproś administratora firmy o dostęp do budowy.',
  gone: (number) => `Nie można pokazać zdarzenia ${number}`,
  gone_text:
    'Zostało usunięte albo nie ma już do niego dostępu. Na tym laptopie nic się nie zmieniło. Zapytaj osobę, która je zgłosiła, albo administratora.',
  not_here: (number) => `Zdarzenia ${number} nie ma jeszcze na tym laptopie`,
};
