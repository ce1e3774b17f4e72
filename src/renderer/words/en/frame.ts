/** The frame: rail, header, status line, and the words for states. */
import { count, f, items } from './say.ts';

/** Fields for a day, with or without a time. */
export const dates = {
  hint: '20 Nov 2026',
  hint_time: '20 Nov 2026, 14:32',
  open: (label: string) => `Choose a day: ${label}`,
  previous: 'Previous month',
  next: 'Next month',
  today: 'Today',
  unreadable: 'Enter a date such as 20/11/2026.',
  unreadable_time: 'Enter a date and time such as 20/11/2026 14:32.',
};

export const app = {
  name: 'Spotter',
  rail: 'Main',
  skip: 'Skip to the content',
  new_near_miss: 'New near miss',
  near_misses: 'Near misses',
  waiting: 'Waiting',
  waiting_count: (n: number) => `Waiting, ${items(n)}`,
  unfinished: (n: number) => `${f.number(n)} not finished`,
  recycle_bin: 'Recycle bin',
  company: 'Company',
  settings: 'Settings',
  search: 'Search near misses',
  clear_search: 'Clear search',
  this_laptop: 'This laptop',
  sample_data: 'Sample data',
  project_number: (id: number) => `Project ${id}`,
  company_number: (id: number) => `Company ${id}`,
  /** For a record without a name: its number. */
  unnamed: (id: number) => `No. ${id}`,
  no_project: 'No project chosen',
  /** The banner shown with sample data. */
  sample: {
    title: 'Sample data.',
    text: 'These near misses are made up. They stay on this laptop.',
    start: 'Start for real',
  },
  /** Appended to "Saved" for changes that a server must receive. */
  queued: { online: 'Sending now.', offline: 'Will be sent when you’re online.' },
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
      one: '# waiting near miss was moved here from Spotter’s other window.',
      other: '# waiting near misses were moved here from Spotter’s other window.',
    }),
  port_taken: (port: number) =>
    `Another program is using port ${port}, so Spotter opened on a different one. Your drafts and waiting reports are all here.`,
  /** Photos that were being read when Spotter ended. */
  lost_photos: {
    title: (n: number) =>
      count(n, {
        one: '# photo was not saved before Spotter closed.',
        other: '# photos were not saved before Spotter closed.',
      }),
    more: (names: string, n: number) => `${names} and ${f.number(n)} more`,
    todo: (n: number) =>
      n === 1
        ? 'It is not in your report. Open the draft and choose it again.'
        : 'They are not in your report. Open the draft and choose them again.',
    open: 'Open the draft',
    read: 'OK',
  },
  unreadable: {
    title: (n: number) =>
      count(n, {
        one: '# saved item on this laptop could not be read.',
        other: '# saved items on this laptop could not be read.',
      }),
    text: 'It may be a report or a change that was not delivered. Check your latest reports in the list. You can save what is left for your office.',
    save: 'Save what is left',
    dismiss: 'I have checked',
    file: 'spotter-unreadable.txt',
  },
  set_apart: (n: number) =>
    count(n, {
      one: '# item can’t be read. You’ll find it under Waiting.',
      other: '# items can’t be read. You’ll find them under Waiting.',
    }),
  link_refused: 'Spotter won’t open this link. It may lead into this computer or its own network.',
  link_not_opened: 'No program on this laptop can open this link.',
  cannot_open: 'Spotter could not open its data on this laptop.',
  cannot_open_todo:
    'Nothing was deleted. Close Spotter and open it again. There is also a backup of what you saved.',
  /** The banner about a nearly full disk. */
  disk: {
    low: (left: number) => `The disk is almost full: ${f.bytes(left)} left.`,
    text: 'Reports are still saved. Free up some space, or photos may not fit.',
  },
  /** The database cannot be opened, or was closed while in use. */
  store: {
    full: 'The disk is full, so Spotter cannot open its data.',
    full_todo: 'What you saved is safe. Free up some space, then try again.',
    newer: 'A newer version of Spotter saved the data on this laptop.',
    newer_todo:
      'Nothing was changed. Open the newer version. You can also save a copy of your waiting reports and their photos.',
    newer_save: 'Save a copy',
    newer_saved: 'The copy is in your downloads.',
    closed: 'Spotter lost access to its data and can’t save anything right now.',
    closed_text:
      'The disk may be full. What you saved before is safe. Copy what you are writing, free up some space, then open Spotter again.',
    closed_open: 'Open again',
  },
};

export const pill = {
  /** Appended to the pending count if there is room. */
  safe: ', safe on this laptop',
  local: 'Saved on this laptop',
  local_but: (what: string) => `Saved on this laptop · ${what}`,
  short_local: 'Saved',
  online_all: 'Online · all delivered',
  online_waiting: (n: number) => `Online · ${f.number(n)} waiting`,
  online_sending: (n: number, total: number) =>
    total > n
      ? `Online · sending ${f.number(n)} of ${f.number(total)}`
      : `Online · sending ${f.number(n)}`,
  online_but: (what: string) => `Online · ${what}`,
  offline_but: (what: string) => `Offline · ${what}`,
  /** Pending entries of another account or connection on this laptop. */
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
  needs_you: (n: number, total: number) => {
    const needs = count(n, { one: '# needs attention', other: '# need attention' });
    return total > n ? `${needs} · ${f.number(total)} waiting` : needs;
  },
  busy: (n: number) => (n === 0 ? 'Server busy' : `Server busy · ${f.number(n)} waiting`),
  disk: (n: number) => (n === 0 ? 'Disk full' : `Disk full · ${f.number(n)} waiting`),
  short_checking: 'Checking',
  short_online: 'Online',
  short_offline: (n: number) => (n === 0 ? 'Offline' : `Offline · ${f.number(n)}`),
  short_server: 'Server problem',
  short_portal: 'Wi-Fi sign-in',
  short_sign_in: (n: number) => (n === 0 ? 'Sign in' : `Sign in · ${f.number(n)}`),
  short_waiting: (n: number) => `${f.number(n)} waiting`,
  short_needs_you: (n: number) => `Attention · ${f.number(n)}`,
};

/** The state of a record or queued item in one word. */
export const state = {
  draft: 'Draft',
  waiting: 'Waiting',
  sending: 'Sending',
  needs_you: 'Needs attention',
  set_aside: 'On hold',
  delivered: 'Delivered',
  checked: 'Delivered',
} as const;
