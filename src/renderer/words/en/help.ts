/**
 * The questions and answers of the help. `*…*` marks a label that the window shows; it is read from the words of that
 * screen.
 */
import { own_data } from './company-data.ts';
import { capture } from './capture.ts';
import { printing } from './printing.ts';
import { app, pill } from './frame.ts';
import { list } from './near-misses.ts';
import { paper } from './paper.ts';
import { waiting } from './waiting.ts';

export const help = {
  title: 'Help',
  answers: 'Answers',
  keys: 'Keys',
  more_keys: 'All keys',
  fewer_keys: 'Fewer keys',
  list: [
    {
      question: 'Has my report reached the office?',
      steps: [
        `Look at the top right. *${pill.online_all}* means yes, every one of them.`,
        'For a single report, open it. Its last lines say when it arrived and that its photos were checked.',
        `Anything still on its way is under *${app.waiting}*. It is safe on this laptop, even if you close Spotter.`,
      ],
    },
    {
      question: 'What do I do when a report needs attention?',
      steps: [
        `Open *${app.waiting}* and press *${waiting.fix}*.`,
        'The form opens at the marked box and says what was not accepted.',
        `Change it and press *${capture.save}*. Spotter then sends it again.`,
      ],
    },
    {
      question: 'How do I get photos off my phone?',
      steps: [
        `In the form, press *${capture.phone.button}* or *${capture.phone.button_short}*. A code appears.`,
        'Point the phone’s camera at it. Phone and laptop must be on the same network.',
        'Choose the photos on the phone. They appear in the form.',
      ],
    },
    {
      question: 'How do I add a person, company or job?',
      steps: [
        `Open *${app.company}* and choose the list.`,
        `Press *${own_data.add}* and fill in the name. This works offline.`,
        'You can choose it in the form straight away.',
      ],
    },
    {
      question: 'How do I print a toolbox talk?',
      steps: [
        `In the list, open *${list.more}*, press *${list.select}* and tick the near misses.`,
        `Press *${printing.print}* and choose *${paper.toolbox}*.`,
        'Names that Spotter knows are left out. Check the pages for others.',
      ],
    },
  ],
  contact: 'Who helps',
  report: 'Report a problem',
  report_text:
    'Copy the details and send them to the person who looks after Spotter, with a sentence about what you did. They name no person, company, project or report.',
  copy: 'Copy the details',
  show: 'Show the details',
};
