/** The slip for somebody who stays unnamed, in the language chosen for its reader. */

export const slip_sheet = {
  title: 'Co zrobiono z tym zgłoszeniem?',
  how: 'Podaj te sześć liter brygadziście lub w biurze budowy, albo poproś o to kolegę. Ta osoba wybierze „Odpowiedź na kod” w menu zdarzeń i przeczyta, co zrobiono.',
  unnamed: 'Nie musisz mówić, kim jesteś. Ani ta karteczka, ani kod nie zdradzają, kim jesteś.',
};
