/** Who saw it, the slip of somebody who stays unnamed, and the answer for a code. */
import { f } from './say.ts';

export const who_saw = {
  choices: { me: 'I did', other: 'Somebody else', unnamed: 'Somebody who stays unnamed' },
  change: 'Change',
  name: 'Name',
  name_about: 'Stored when you save the report. The draft does not keep it.',
  unnamed_about:
    'No name is stored. You are shown as the person who wrote the report. When you save it, you get a code for asking what was done.',
  was_named:
    'This report was saved with a name before. Earlier entries of the server’s history, backups and files may still have it.',
  named: (names: readonly string[]) => `The text has names of people: ${f.list(names)}.`,
  take_out: (name: string) => `Take out ${name}`,
  /** Replaces the name in the text. */
  somebody: 'somebody',
  slip: 'Code for the answer',
  slip_about:
    'Read it out, or print the slip. Whoever asks with this code learns what was done. You find it in the menu of the report too.',
  slip_language: 'Language of the slip',
  print_slip: 'Print the slip',
  ask: {
    about: 'For somebody who stays unnamed. Shows what was done, and nothing else of the report.',
    code: 'Code',
    no_code: 'A code has six letters, as on the slip.',
    go: 'Show the answer',
    none_yet: (day: string) => `No answer yet. It was reported on ${day}.`,
    unknown:
      'No report on this computer has this code. Check the letters. A new report may not have arrived here yet.',
  },
};
