/**
 * Every sentence of the window in English. A screen never spells a sentence itself: it asks here, so that a second
 * language is one more file of this shape, and so that one person can read all of it in one go.
 * What a problem says is in problems.ts.
 */
import { formatFor } from './format.ts';

const f = formatFor('en-GB', { today: 'today', yesterday: 'yesterday' });
const { count, bytes, near, time } = f;

/** `28 seconds`: also for problems.ts. */
export const span = f.span;
export const format = f;

const photos = (n: number): string => count(n, { one: '# photo', other: '# photos' });
const items = (n: number): string => count(n, { one: '# item', other: '# items' });

const app = {
  name: 'Spotter',
  rail: 'Main',
  skip: 'Skip to the content',
  new_near_miss: 'New near miss',
  near_misses: 'Near misses',
  waiting: 'Waiting',
  waiting_count: (n: number) => `Waiting, ${items(n)}`,
  recycle_bin: 'Recycle bin',
  settings: 'Settings',
  search: 'Search near misses',
  clear_search: 'Clear search',
  this_laptop: 'This laptop',
  no_project: 'No project chosen',
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
      one: '# waiting near miss was brought back from the second copy.',
      other: '# waiting near misses were brought back from the second copy.',
    }),
  set_apart: (n: number) =>
    count(n, {
      one: '# item cannot be read. It is kept, and shown under Waiting.',
      other: '# items cannot be read. They are kept, and shown under Waiting.',
    }),
  cannot_open: 'Spotter could not open its store on this laptop.',
  cannot_open_todo:
    'Nothing was deleted. Close Spotter and open it again; what you saved is also kept in a second copy.',
};

const pill = {
  online_all: 'Online · all delivered',
  online_waiting: (n: number) => `Online · ${f.number(n)} waiting`,
  online_sending: (n: number) => `Online · sending ${f.number(n)}`,
  offline_none: 'Offline · nothing waiting',
  offline: (n: number) => `Offline · ${f.number(n)} waiting, safe on this laptop`,
  sign_in_none: 'Sign in again',
  sign_in: (n: number) => `Sign in to send · ${f.number(n)} waiting`,
  locked: (n: number) =>
    n === 0 ? 'Keychain locked' : `Keychain locked · ${f.number(n)} waiting, safe on this laptop`,
  checking: (n: number) =>
    n === 0 ? 'Checking the connection…' : `Checking · ${f.number(n)} waiting`,
  needs_you: (n: number, total: number) =>
    total > n
      ? `Needs you: ${f.number(n)} of ${f.number(total)} waiting`
      : `Needs you: ${f.number(n)}`,
  held: (n: number) => `On hold · ${f.number(n)} waiting, safe on this laptop`,
  short_checking: 'Checking',
  short_online: 'Online',
  short_offline: (n: number) => (n === 0 ? 'Offline' : `Offline · ${f.number(n)}`),
  short_sign_in: (n: number) => (n === 0 ? 'Sign in' : `Sign in · ${f.number(n)}`),
  short_waiting: (n: number) => `${f.number(n)} waiting`,
  short_needs_you: (n: number) => `Needs you · ${f.number(n)}`,
};

/** State of one record or one queued item, in one word. */
const state = {
  draft: 'Draft',
  waiting: 'Waiting',
  sending: 'Sending',
  needs_you: 'Needs you',
  set_aside: 'Set aside',
  delivered: 'Delivered',
  checked: 'Delivered',
} as const;

const connect = {
  title: 'Where should near misses go?',
  intro:
    'You can change this later in Settings. Near misses are always saved on this laptop first.',
  laptop: 'This laptop',
  laptop_text:
    'Starts right away, needs no network and no account. Everything stays on this computer.',
  laptop_go: 'Use this laptop',
  server: 'Our company’s server',
  server_text: 'Near misses are sent to it whenever there is a connection.',
  server_go: 'Connect to a server',
  address: 'Server address',
  address_hint: 'As your office gave it to you, for example https://safety.example.com',
  token: 'Access token',
  token_hint: 'A token works like a password for this app only. Your office gives it to you.',
  company_id: 'Company number',
  company_hint: 'The number of your company on that server.',
  check: 'Check and go on',
  checking: 'Asking the server…',
  back: 'Back',
  company: 'Company',
  project: 'Project',
  project_id: 'Project number',
  project_hint: 'This server does not list its projects. Your office knows the number.',
  hello: (name: string) => `Signed in as ${name}. Choose the project.`,
  hello_typed: 'The server accepts the token. Now the project.',
  choose_project: 'Choose a project',
  no_projects: 'You have no project on this server yet. Ask your office to add you to one.',
  finish: 'Connect',
  finishing: 'Connecting…',
  vault_keychain:
    'The token is kept in this computer’s keychain; where there is none, until you close Spotter.',
  vault_memory:
    'No usable keychain was found: the token is kept until you close Spotter, then you sign in again. Saved near misses are not affected.',
  vault_memory_short: 'No usable keychain: you sign in again after closing Spotter.',
  address_missing: 'Enter the server’s address.',
  address_bad: 'This is not an address. It should start with https:// or http://.',
  token_missing: 'Enter the token.',
  number_missing: 'Enter a whole number.',
  project_missing: 'Choose a project.',
  refused_token: 'The server does not accept this token. Check that it was copied whole.',
  starting: 'Starting…',
};

const sign_in = {
  title: 'Sign in again to send',
  text: (n: number) =>
    n === 0
      ? 'The server no longer accepts the token. You can go on working; new near misses are saved on this laptop.'
      : `The server no longer accepts the token. ${items(n)} ${n === 1 ? 'is' : 'are'} safe on this laptop and will be sent after you sign in.`,
  go: 'Sign in',
  locked: 'The keychain is locked',
  hung: 'The keychain does not answer',
  denied: 'The keychain refused Spotter',
  absent: 'The keychain is gone',
  locked_text: (n: number) =>
    n === 0
      ? 'Unlock it, then press Try again. You can go on working meanwhile.'
      : `Unlock it, then press Try again. ${items(n)} ${n === 1 ? 'is' : 'are'} safe on this laptop meanwhile.`,
};

const list = {
  title: 'Near misses',
  all: (n: number) => `All ${f.number(n)}`,
  /** The worst severity, by its own name in the catalog. */
  worst: (name: string, n: number) => `${name} ${f.number(n)}`,
  this_week: 'This week',
  not_delivered: (n: number) => `Not delivered ${f.number(n)}`,
  harm_source: 'Harm source',
  any_harm_source: 'Any harm source',
  sort: (name: string) => `Sort: ${name}`,
  newest: 'newest',
  oldest: 'oldest',
  by_number: 'number',
  by_harm: 'harm source',
  filters: 'Filters',
  refreshing: 'Getting the newest…',
  refreshing_of: (done: number, total: number) =>
    `Getting ${f.number(done)} of ${f.number(total)}…`,
  refresh: 'Get the newest',
  refreshed: (at: number, now: number) => `Up to date, ${near(at, now)}`,
  seen: (at: number, now: number) => `As of ${near(at, now)}`,
  never: 'Not fetched yet',
  refresh_failed: 'Could not get the newest.',
  empty: 'No near misses yet',
  empty_text: 'The first one takes half a minute. It is saved on this laptop even with no network.',
  none_found: 'Nothing fits',
  none_found_text: 'No near miss fits the search and the filters.',
  clear: 'Show all',
  loading: 'Reading from this laptop…',
  shown: (n: number) => count(n, { one: '# near miss shown', other: '# near misses shown' }),
  row: (title: string, facts: string, word: string) => `${title}. ${facts}. ${word}`,
  untitled: 'No description',
  photos,
  pick: 'Choose a near miss',
  pick_text: 'Its facts, photos and delivery receipt are shown here.',
};

const detail = {
  back: 'All near misses',
  number: (full: string) => `Near miss ${full}`,
  no_number: 'Near miss, not numbered yet',
  edit: 'Edit',
  bin: 'Send to recycle bin',
  binned: 'Sent to the recycle bin.',
  restored: 'Taken out of the recycle bin.',
  restore: 'Restore',
  when: 'When',
  where: 'Where',
  severity: 'Could have been',
  incident: 'Incident',
  harm_source: 'Harm source',
  work_activity: 'Work activity',
  equipment: 'Equipment',
  affected_company: 'Affected company',
  affected_party: 'Affected party',
  affected_person: 'Affected person',
  reported_by: 'Reported by',
  yes: 'Yes',
  no: 'No',
  photos: 'Photos',
  no_photos: 'No photos.',
  open_photo: (name: string) => `Open ${name}`,
  photo_waiting: 'Waiting',
  photo_sending: (share: number) => `Sending ${f.percent(share)}`,
  photo_checked: 'Checked',
  photo_there: 'On the server',
  photo_needs_you: 'Needs you',
  gone: 'This near miss is not on this laptop',
  gone_text: 'It may be in the recycle bin, or belong to another project.',
  in_bin: 'This near miss is in the recycle bin.',
  pending_edit: 'Your changes are saved on this laptop and waiting to be sent.',
  needs_you: 'The server did not take this.',
  see_waiting: 'See Waiting',
  never_sent_title: 'Delete this near miss?',
  never_sent_text:
    'It was never sent, so there is no recycle bin to get it back from. It and its photos are removed from this laptop.',
  never_sent_go: 'Delete for good',
  receipt_label: 'Delivery receipt',
  receipt_all: (n: number, at: number, now: number) =>
    n === 0
      ? `record accepted by the server, ${near(at, now)}`
      : `record accepted, ${f.number(n)} of ${photos(n)} read back byte for byte, ${near(at, now)}`,
  receipt_part: (n: number, of: number) =>
    `record accepted by the server, ${f.number(n)} of ${photos(of)} read back byte for byte so far`,
  receipt_head: (n: number) => (n === 0 ? 'Delivered' : 'Delivered and checked'),
  receipt_record: 'Record delivered',
  receipt_waiting: 'Saved on this laptop',
  receipt_waiting_text: (n: number) =>
    n === 0 ? 'not sent yet' : `not sent yet, with ${photos(n)}`,
  receipt_elsewhere: 'On the server',
  receipt_elsewhere_text:
    'reported from another device, so there are no originals here to compare with',
  receipt_line: (size: number, sha256: string) =>
    `${f.number(size)} B · sha256 ${sha256.slice(0, 4)}…${sha256.slice(-4)}`,
  receipt_files: 'Files compared',
  viewer: {
    title: 'Photo',
    close: 'Close',
    previous: 'Previous photo',
    next: 'Next photo',
    zoom_in: 'Zoom in',
    zoom_out: 'Zoom out',
    fit: 'Fit to window',
    loading: 'Loading full size…',
    position: (at: number, of: number) => `${f.number(at)} of ${f.number(of)}`,
  },
  full_unavailable: 'Full size needs a connection; this is the small version.',
};

const capture = {
  title: 'New near miss',
  edit_title: 'Edit near miss',
  what: 'What happened?',
  what_hint: 'One or two sentences are enough.',
  what_missing: 'Say in a few words what happened.',
  what_long: 'This is longer than the server takes (64 KB). Shorten it.',
  severity: 'How bad could it have been?',
  severity_notes: {
    minor: 'First aid at most',
    serious: 'Days off work',
    'could have killed': 'Life-changing or worse',
    fatal: 'Life-changing or worse',
  } as Readonly<Record<string, string>>,
  where: 'Where',
  where_hint: 'Floor, gate, axis…',
  when: 'When',
  from_photo: 'from photo',
  from_clock: 'now',
  incident: 'Incident',
  incident_missing: 'Choose the incident it belongs to.',
  required: (label: string) => `${label} is required here.`,
  not_a_number: 'Enter a number.',
  not_a_choice: 'This choice is no longer offered. Choose another.',
  choose: 'Choose…',
  nothing_fits: 'Nothing fits.',
  more_options: (n: number) => `${f.number(n)} more: type to narrow.`,
  clear: 'Clear',
  open_list: 'Show the list',
  typed_id: 'Type its number',
  typed_id_hint: 'This server gives no list to choose from.',
  more_fields: (names: readonly string[], rest: number) =>
    rest > 0
      ? `${names.join(', ')} and ${count(rest, { one: '# more field', other: '# more fields' })}`
      : names.join(', '),
  people: 'people',
  people_first: 'People',
  equipment: 'equipment',
  yes: 'Yes',
  no: 'No',
  photos: 'Photos',
  drop: 'Drop photos here',
  paste: 'or paste them',
  drop_now: 'Let go to add',
  take: 'Take a photo',
  files: 'Choose files',
  adding: (name: string) => `Adding ${name}`,
  remove: (name: string) => `Remove ${name}`,
  removed: 'Photo removed.',
  photo_refused: (name: string, why: string) => `${name} was not added. ${why}`,
  existing: 'Already there',
  save: 'Save',
  save_another: 'Save and add another',
  saving: 'Saving…',
  save_wait: 'Photos are still being written to disk…',
  draft_kept: 'Draft kept as you type.',
  draft_restored: 'Your unfinished near miss is back.',
  draft_discard: 'Start over',
  draft_discard_title: 'Throw away this draft?',
  draft_discard_text: (n: number) =>
    n === 0
      ? 'What you typed is removed from this laptop.'
      : `What you typed and ${photos(n)} are removed from this laptop.`,
  draft_gone: 'Draft thrown away.',
  edit_restored: 'Your unfinished changes are back.',
  edit_discard_title: 'Throw away these changes?',
  edit_gone: 'Changes thrown away.',
  no_network: 'No network needed:',
  no_network_text: 'it is sent when you are online.',
  saved: 'Saved on this laptop.',
  saved_changes: 'Changes saved on this laptop.',
  open_it: 'Open it',
  shortcut: 'Ctrl + Enter saves',
  cannot_save: 'Not saved yet.',
  fix: (n: number) => count(n, { one: 'One field needs you.', other: '# fields need you.' }),
  camera: {
    title: 'Take a photo',
    close: 'Close',
    starting: 'Starting the camera…',
    shoot: 'Take the photo',
    done: 'Done',
    other: 'Use the other camera',
    choose: 'Choose files instead',
    taken: (n: number) => count(n, { one: '# photo added', other: '# photos added' }),
    none: 'No camera was found on this computer. You can choose photo files instead.',
    denied:
      'Spotter is not allowed to use the camera. Allow it in the system’s settings, or choose photo files instead.',
    busy: 'Another program is using the camera. Close it and try again, or choose photo files instead.',
  },
  camera_name: (at: number) => {
    const d = new Date(at);
    const two = (n: number) => String(n).padStart(2, '0');
    return `Photo ${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}${two(d.getMinutes())}${two(d.getSeconds())}.jpg`;
  },
};

const waiting = {
  title: 'Waiting',
  nothing: 'Nothing is waiting',
  nothing_text: 'Everything saved on this laptop has been delivered.',
  next_try: (ms: number) => `Next try in ${span(ms)}, or when the network is back.`,
  trying: 'Trying now…',
  try_now: 'Try now',
  safe: 'Everything below is safe on this laptop.',
  sending: 'Sending now.',
  not_started: 'Not started',
  record_saved: 'Record saved',
  record_delivered: 'Record delivered',
  steps: {
    hashing: 'Reading the photo',
    creating: 'Announcing the photo',
    sending: 'Sending the photo',
    completing: 'Finishing the photo',
    verifying: 'Reading it back to compare',
  },
  of_bytes: (sent: number, size: number) => `${bytes(sent)} of ${bytes(size)}`,
  facts: (n: number, size: number) => `${photos(n)}, ${bytes(size)}`,
  tries: (n: number) => count(n, { one: 'Tried once', other: 'Tried # times' }),
  retry: 'Send again',
  set_aside: 'Set aside',
  set_aside_done: 'Set aside. It stays here until you send it again.',
  edit: 'Edit',
  fix: 'Fix',
  open: 'Open',
  take_back: 'Take back',
  take_back_title: 'Take this back?',
  take_back_text:
    'It has not been sent. It becomes a draft again, with its photos: open “New near miss” to go on with it.',
  take_back_change: 'The change is removed from the queue and never sent.',
  take_back_of: (what: string) => `Take back: ${what}`,
  taken_back: 'Taken back.',
  aside_text: 'Set aside by you. Not sent until you send it again.',
  unreadable: 'An item this version cannot read.',
  compare: 'Compare',
  compare_title: 'Changed by two people',
  compare_text: 'Both versions are kept until you choose. Choose for each field.',
  mine: 'Mine',
  theirs: 'On the server',
  nothing_there: '(empty)',
  use_these: 'Use these',
  resolved: 'Chosen. It is sent with the next connection.',
  export_one: 'Export',
  export_all: 'Export all',
  exported: (n: number) => `${items(n)} exported to your downloads.`,
  actions: (title: string) => `More for ${title}`,
  total: (n: number, size: number) => (size > 0 ? `${items(n)} · ${bytes(size)}` : items(n)),
  items,
  delivered_today: 'Delivered today',
  none_today: 'Nothing yet today.',
  read_back: (n: number, size: number) =>
    n === 0
      ? 'Accepted: record'
      : `Record accepted; read back and equal: ${photos(n)}, ${bytes(size)}`,
  at: (at: number) => time(at),
  damaged: 'This item cannot be read. It is kept as it is and can be exported.',
  operations: {
    'near_miss.create': 'New near miss',
    'near_miss.update': 'Changes',
    'near_miss.delete': 'To the recycle bin',
    'near_miss.restore': 'Out of the recycle bin',
    'photo.send': 'Photo',
  } as Readonly<Record<string, string>>,
};

const bin = {
  title: 'Recycle bin',
  text: 'Near misses that were sent here. Restoring brings back the number, the fields and the photos.',
  empty: 'The recycle bin is empty',
  empty_text: 'A near miss you send here can be restored at any time.',
  deleted: (at: number, now: number) => `Sent here ${near(at, now)}`,
  restore: 'Restore',
  going: 'On its way here',
  restored: 'Restored. It is sent with the next connection.',
  more: (n: number) => `Show ${f.number(n)} more`,
};

const settings = {
  title: 'Settings',
  connection: 'Connection',
  place: 'Near misses go to',
  company: 'Company',
  project: 'Project',
  user: 'Signed in as',
  change: 'Change connection',
  token: 'Token',
  vault_keychain: 'Kept in this computer’s keychain.',
  vault_memory: 'Kept until you close Spotter. No usable keychain was found.',
  vault_none: 'This laptop’s own service needs no token from you.',
  sign_out: 'Sign out',
  sign_out_title: 'Sign out?',
  sign_out_text: (n: number) =>
    n === 0
      ? 'Spotter forgets the token. What it has seen stays on this laptop.'
      : `Spotter forgets the token. ${items(n)} ${n === 1 ? 'is' : 'are'} still waiting; ${n === 1 ? 'it stays' : 'they stay'} safe on this laptop and ${n === 1 ? 'is' : 'are'} sent after the same user signs in again.`,
  signed_out: 'Signed out.',
  look: 'Look',
  theme: 'Theme',
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  theme_notes: {
    system: 'Follows this computer',
    light: 'Best in sunlight',
    dark: 'Easier at night',
  },
  about: 'About this installation',
  version: 'Spotter version',
  shell: 'Runs in',
  shells: { electron: 'its own window', browser: 'a browser window', test: 'a test' },
  platform: 'System',
  node: 'Node',
  waiting: 'Waiting',
  waiting_none: 'nothing',
  copy: 'Copy diagnostics',
  copy_hint: 'Versions, states and counts as text. No token, no names, no descriptions.',
  copied: 'Diagnostics copied.',
  diagnostics: 'Diagnostics',
  show_diagnostics: 'Show them here',
  copy_failed: 'Could not copy. Select the text and copy it yourself.',
  saved: 'Setting saved.',
};

export const words = {
  app,
  pill,
  state,
  connect,
  sign_in,
  list,
  detail,
  capture,
  waiting,
  bin,
  settings,
  format,
};
