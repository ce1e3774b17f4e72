/** The project switcher, the finder and the help. */
import { f } from './say.ts';

export const sites = {
  /** The button that opens the list, with the names of the project and the company. */
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

export const finder = {
  title: 'Find',
  label: 'Near miss, screen or action',
  /** The header's button, with its shortcut. */
  open: (keys: string) => `Find anything (${keys})`,
  deeds: 'Actions',
  screens: 'Screens',
  send_now: 'Send what is waiting now',
  connect: 'Change connection',
  go_to: (project: string) => `Go to ${project}`,
  looking: 'Searching near misses…',
  /** Opens the list filtered by the typed text. */
  in_list: (text: string) => `Show “${text}” in the list`,
  in_list_last_week: (text: string) => `Show last week’s “${text}” in the list`,
};

/** The help for every shortcut. Keys are spelled as on the keyboard; on a Mac `Ctrl` is shown as ⌘ and `Alt` as ⌥. */
export const keys = {
  title: 'Help and keys',
  help: 'Help',
  /** Key names on keyboards of this language. */
  names: {
    Space: 'Space',
    'Page Up': 'Page Up',
    'Page Down': 'Page Down',
    Home: 'Home',
    End: 'End',
    Delete: 'Delete',
    Shift: 'Shift',
  } as Readonly<Record<string, string>>,
};
