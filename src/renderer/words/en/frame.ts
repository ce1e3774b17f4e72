/** The frame: rail, header, the status line at the top right, the words for a state. */
import { count, f, items } from './say.ts';

/** Boxes for a day, or a day and a time. */
export const dates = {
  hint: '20 Nov 2026',
  hint_time: '20 Nov 2026, 14:32',
  open: (label: string) => `Choose a day: ${label}`,
  previous: 'Previous month',
  next: 'Next month',
  today: 'Today',
  unreadable: 'Write the day like 20/11/2026 or 20 Nov 2026.',
  unreadable_time: 'Write day and time like 20/11/2026 14:32.',
};

export const app = {
  name: 'Spotter',
  rail: 'Main',
  skip: 'Skip to the content',
  new_near_miss: 'New near miss',
  near_misses: 'Near misses',
  waiting: 'Waiting',
  waiting_count: (n: number) => `Waiting, ${items(n)}`,
  recycle_bin: 'Recycle bin',
  company: 'Company',
  settings: 'Settings',
  search: 'Search near misses',
  clear_search: 'Clear search',
  this_laptop: 'This laptop',
  sample_data: 'Sample data',
  project_number: (id: number) => `Project ${id}`,
  company_number: (id: number) => `Company ${id}`,
  /** Of what has no name here: its number. */
  unnamed: (id: number) => `No. ${id}`,
  no_project: 'No project chosen',
  /** Where near misses go to this laptop's own service, which brings a company that does not exist. */
  sample: {
    title: 'Sample data.',
    text: 'These near misses are made up. They stay on this laptop.',
    start: 'Start for real',
  },
  notices: 'Notices',
  close: 'Close',
  cancel: 'Cancel',
  undo: 'Undo',
  try_again: 'Try again',
  optional: 'optional',
  starting: 'Opening Spotter…',
  more: 'More',
  brought_back: (n: number) =>
    count(n, {
      one: '# waiting near miss was restored from the backup.',
      other: '# waiting near misses were restored from the backup.',
    }),
  came_back:
    'Spotter’s window had to be reopened. What you saved is safe, and what you were writing is kept as a draft.',
  came_along: (n: number) =>
    count(n, {
      one: '# waiting near miss was brought over from Spotter’s other window on this laptop.',
      other: '# waiting near misses were brought over from Spotter’s other window on this laptop.',
    }),
  port_taken: (port: number) =>
    `Another program is using port ${port}, so Spotter opened on a different one. Your drafts and waiting reports are all here.`,
  set_apart: (n: number) =>
    count(n, {
      one: '# item cannot be read. It is kept under Waiting.',
      other: '# items cannot be read. They are kept under Waiting.',
    }),
  link_refused:
    'Spotter does not open this link. It points to this computer, to its own network, or to nothing.',
  link_not_opened: 'No program on this laptop can open this link.',
  cannot_open: 'Spotter could not open its data on this laptop.',
  cannot_open_todo:
    'Nothing was deleted. Close Spotter and open it again. There is also a backup of what you saved.',
  /** Above every screen, before it is too late. */
  disk: {
    low: (left: number) => `The disk is almost full: ${f.bytes(left)} left.`,
    text: 'Reports are still saved. Free up some space, or photos may not fit.',
  },
  /** The window's store cannot be used: at the start, or in the middle of the work. */
  store: {
    full: 'The disk is full, so Spotter cannot open its data.',
    full_todo: 'What you saved is safe. Free up some space, then try again.',
    newer: 'The data on this laptop belongs to a newer version of Spotter.',
    newer_todo:
      'Nothing was changed. Start the newer version again. You can save a copy of your waiting reports and their photos.',
    newer_save: 'Save a copy',
    newer_saved: 'The copy is in your downloads.',
    closed: 'Spotter lost access to its data. Nothing can be saved right now.',
    closed_text:
      'The disk may be full. What you saved before is safe. Copy what you are writing, free up some space, then open Spotter again.',
    closed_open: 'Open again',
  },
};

export const pill = {
  /** Behind what waits, where there is room for it. */
  safe: ', safe on this laptop',
  online_all: 'Online · all delivered',
  online_waiting: (n: number) => `Online · ${f.number(n)} waiting`,
  online_sending: (n: number, total: number) =>
    total > n
      ? `Online · sending ${f.number(n)} of ${f.number(total)}`
      : `Online · sending ${f.number(n)}`,
  online_but: (what: string) => `Online · ${what}`,
  offline_but: (what: string) => `Offline · ${what}`,
  /** Another account or connection of this laptop. */
  elsewhere: (n: number, name: string) => `${f.number(n)} waiting for ${name}`,
  elsewheres: (n: number, connections: number) =>
    `${f.number(n)} waiting for ${f.number(connections)} other connections`,
  offline_none: 'Offline · nothing waiting',
  offline: (n: number) => `Offline · ${f.number(n)} waiting`,
  server: (n: number) => (n === 0 ? 'Server problem' : `Server problem · ${f.number(n)} waiting`),
  portal: (n: number) =>
    n === 0 ? 'Wi-Fi sign-in needed' : `Wi-Fi sign-in needed · ${f.number(n)} waiting`,
  sign_in_none: 'Sign in again',
  sign_in: (n: number) => `Sign in to send · ${f.number(n)} waiting`,
  locked: (n: number) => (n === 0 ? 'Keychain locked' : `Keychain locked · ${f.number(n)} waiting`),
  checking: (n: number) =>
    n === 0 ? 'Checking the connection…' : `Checking · ${f.number(n)} waiting`,
  needs_you: (n: number, total: number) =>
    total > n
      ? `Needs you: ${f.number(n)} of ${f.number(total)} waiting`
      : `Needs you: ${f.number(n)}`,
  busy: (n: number) => (n === 0 ? 'Server busy' : `Server busy · ${f.number(n)} waiting`),
  disk: (n: number) => (n === 0 ? 'Disk full' : `Disk full · ${f.number(n)} waiting`),
  short_checking: 'Checking',
  short_online: 'Online',
  short_offline: (n: number) => (n === 0 ? 'Offline' : `Offline · ${f.number(n)}`),
  short_server: 'Server problem',
  short_portal: 'Wi-Fi sign-in',
  short_sign_in: (n: number) => (n === 0 ? 'Sign in' : `Sign in · ${f.number(n)}`),
  short_waiting: (n: number) => `${f.number(n)} waiting`,
  short_needs_you: (n: number) => `Needs you · ${f.number(n)}`,
};

/** State of one record or one queued item, in one word. */
export const state = {
  draft: 'Draft',
  waiting: 'Waiting',
  sending: 'Sending',
  needs_you: 'Needs you',
  set_aside: 'On hold',
  delivered: 'Delivered',
  checked: 'Delivered',
} as const;
