/**
 * The questions and answers of the help. `*…*` marks a label that the window shows; it is read from the words of that
 * screen.
 */
import type { Words } from '../shape.ts';
import { own_data } from './company-data.ts';
import { capture } from './capture.ts';
import { printing } from './printing.ts';
import { app, pill } from './frame.ts';
import { list } from './near-misses.ts';
import { paper } from './paper.ts';
import { waiting } from './waiting.ts';

export const help: Words['help'] = {
  title: 'Pomoc',
  answers: 'Odpowiedzi',
  keys: 'Klawisze',
  more_keys: 'Wszystkie klawisze',
  fewer_keys: 'Mniej klawiszy',
  list: [
    {
      question: 'Czy moje zgłoszenie dotarło do biura?',
      steps: [
        `Spójrz w prawy górny róg. *${pill.online_all}* znaczy, że dotarły wszystkie.`,
        'Aby sprawdzić jedno zgłoszenie, otwórz je. Ostatnie wiersze mówią, kiedy dotarło i że sprawdzono jego zdjęcia.',
        `To, co jest jeszcze w drodze, widać w *${app.waiting}*. Jest bezpieczne na tym laptopie, nawet po zamknięciu Spottera.`,
      ],
    },
    {
      question: 'Co zrobić, gdy zgłoszenie wymaga uwagi?',
      steps: [
        `Otwórz *${app.waiting}* i naciśnij *${waiting.fix}*.`,
        'Formularz otworzy się na zaznaczonym polu i powie, co nie zostało przyjęte.',
        `Popraw je i naciśnij *${capture.save}*. Spotter wyśle zgłoszenie ponownie.`,
      ],
    },
    {
      question: 'Jak przenieść zdjęcia z telefonu?',
      steps: [
        `W formularzu naciśnij *${capture.phone.button}* lub *${capture.phone.button_short}*. Pojawi się kod.`,
        'Skieruj na niego aparat telefonu. Telefon i laptop muszą być w tej samej sieci.',
        'Wybierz zdjęcia na telefonie. Pojawią się w formularzu.',
      ],
    },
    {
      question: 'Jak dodać osobę, firmę lub zadanie?',
      steps: [
        `Otwórz *${app.company}* i wybierz listę.`,
        `Naciśnij *${own_data.add}* i wpisz nazwę. Działa to bez sieci.`,
        'Od razu można ją wybrać w formularzu.',
      ],
    },
    {
      question: 'Jak wydrukować pogadankę BHP?',
      steps: [
        `Na liście otwórz *${list.more}*, naciśnij *${list.select}* i zaznacz zdarzenia.`,
        `Naciśnij *${printing.print}* i wybierz *${paper.toolbox}*.`,
        'Nazwiska znane Spotterowi są pominięte. Sprawdź, czy na stronach nie ma innych.',
      ],
    },
  ],
  contact: 'Kto pomaga',
  report: 'Zgłoś problem',
  report_text:
    'Skopiuj szczegóły i wyślij je osobie, która opiekuje się Spotterem, razem ze zdaniem o tym, co się działo. Nie ma w nich żadnej osoby, firmy, budowy ani zgłoszenia.',
  copy: 'Kopiuj szczegóły',
  show: 'Pokaż szczegóły',
};
