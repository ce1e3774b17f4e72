/** Who saw it, the slip of somebody who stays unnamed, and the answer for a code. */
import type { Words } from '../shape.ts';
import { f } from './say.ts';

export const who_saw: Words['who_saw'] = {
  choices: { me: 'Ja', other: 'Ktoś inny', unnamed: 'Ktoś, kto woli się nie ujawniać' },
  change: 'Zmień',
  name: 'Imię i nazwisko',
  name_about: 'Zapisze się razem ze zgłoszeniem. Szkic go nie przechowuje.',
  unnamed_about:
    'Żadne nazwisko nie jest zapisywane. Jako zgłaszający widniejesz Ty. Po zapisaniu dostaniesz kod, z którym można zapytać, co zrobiono.',
  was_named:
    'To zgłoszenie zapisano wcześniej z nazwiskiem. Starsze wpisy historii na serwerze, kopie zapasowe i pliki mogą je nadal zawierać.',
  named: (names) => `W tekście są nazwiska: ${f.list(names)}.`,
  take_out: (name) => `Usuń z tekstu: ${name}`,
  somebody: 'ktoś',
  slip: 'Kod do odpowiedzi',
  slip_about:
    'Przeczytaj go na głos albo wydrukuj karteczkę. Kto zapyta z tym kodem, dowie się, co zrobiono. Kod jest też w menu zgłoszenia.',
  slip_language: 'Język karteczki',
  print_slip: 'Drukuj karteczkę',
  ask: {
    about:
      'Dla kogoś, kto woli się nie ujawniać. Pokazuje, co zrobiono, i nic więcej ze zgłoszenia.',
    code: 'Kod',
    no_code: 'Kod ma sześć liter, jak na karteczce.',
    go: 'Pokaż odpowiedź',
    none_yet: (day) => `Nie ma jeszcze odpowiedzi. Zgłoszono ${day}.`,
    unknown:
      'Żadne zgłoszenie na tym komputerze nie ma tego kodu. Sprawdź litery. Nowe zgłoszenie mogło tu jeszcze nie dotrzeć.',
  },
};
