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

export const finder = {
  title: 'Find',
  label: 'Near miss, screen or action',
  /** Of the button in the header, with its key. */
  open: (keys: string) => `Find anything (${keys})`,
  deeds: 'Actions',
  screens: 'Screens',
  send_now: 'Send what is waiting now',
  connect: 'Change connection',
  go_to: (project: string) => `Go to ${project}`,
  looking: 'Searching near misses…',
  /** The list, narrowed by what was typed. */
  in_list: (text: string) => `Show “${text}” in the list`,
};

/** What every key does. A key is written as it is on the keyboard; `Ctrl` is shown as ⌘ and `Alt` as ⌥ on a Mac. */
export const keys = {
  title: 'Help and keys',
  help: 'Help',
  mouse: 'Everything also works with the mouse. In text boxes, keys type as usual.',
  or: 'or',
  anywhere: 'Anywhere',
  find: 'Find anything: near misses, screens, actions',
  these: 'Show these keys',
  new_near_miss: 'New near miss',
  close: 'Close what is open on top',
  app: 'In the desktop app',
  search: 'Search near misses',
  near_misses: 'Near misses',
  waiting: 'Waiting',
  settings: 'Settings',
  print: 'Print',
  list: 'In the list of near misses',
  move: 'Previous or next',
  page: 'One page up or down',
  ends: 'First or last',
  open: 'Open',
  select: 'Select',
  stretch: 'Select several in a row',
  all: 'Select all',
  unselect: 'Stop selecting',
  form: 'In the form',
  save: 'Save',
  paste: 'Add a copied photo',
  photos: 'In photos',
  turn: 'Previous or next photo',
  tiles: 'Move between photos',
  zoom: 'Zoom in or out',
  whole: 'Show the whole picture',
  markup: 'While marking up a photo',
  tool: 'Choose a tool',
  add: 'Add in the middle',
  shift: 'Move what is selected',
  resize: 'Resize what is selected',
  fine: 'Move in small steps',
  remove: 'Delete what is selected',
  undo: 'Undo',
  redo: 'Redo',
  done: 'Done',
};
