/** What the frame offers beside the screens: changing the project, finding anything, the keys. */
import { f } from './say.ts';

export const sites = {
  /** Of the button that opens the list; the project's and the company's names. */
  open: (project: string, company: string) => `${project}, ${company}. Change project`,
  title: 'Projects',
  waiting: (n: number) => `${f.number(n)} waiting`,
  changed: (name: string) => `You are now in ${name}.`,
  refused: (name: string) => `You no longer have access to that project. You are in ${name} again.`,
  not_listed: 'This server does not list its projects.',
  old: (when: string) => `This list is from ${when}. It could not be updated.`,
  never: 'The other projects are not known yet. They appear once the server answers.',
  other: 'Another project or server…',
};
