/** The settings: what they are about, what this laptop keeps, what to tell whoever looks after the app, everything in and out. */
import { bytes, count, f, items, photos } from './say.ts';

export const settings = {
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
  vault_asking:
    'Kept until you close Spotter, or in this computer’s keychain once it lets Spotter in.',
  vault_none: 'This laptop’s own service needs no token from you.',
  sign_out: 'Sign out',
  sign_out_title: 'Sign out?',
  sign_out_text: (n: number) =>
    n === 0
      ? 'Spotter forgets the token. What it has seen stays on this laptop.'
      : `Spotter forgets the token. ${items(n)} ${n === 1 ? 'is' : 'are'} still waiting; ${n === 1 ? 'it stays' : 'they stay'} safe on this laptop and ${n === 1 ? 'is' : 'are'} sent after the same user signs in again.`,
  signed_out: 'Signed out.',
  theme: 'Theme',
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  theme_notes: {
    system: 'Follows this computer',
    light: 'Best in sunlight',
    dark: 'Easier at night',
  },
  language: 'Language',
  /** Each language by its own name, so that whoever reads it finds it. */
  languages: { system: 'As the system', en: 'English', es: 'Español' },
  language_notes: {
    system: 'What this computer’s user reads',
    en: 'Always English',
    es: 'Siempre en español',
  },
  sections: 'Parts of the settings',
  parts: { capture: 'The form', photos: 'Photo privacy and size' },
  choose: 'Appearance and language',
  storage: {
    title: 'Storage on this laptop',
    photos: 'Photos',
    rest: 'Everything else',
    database: 'Records, drafts and small pictures',
    journal: 'Second copy of what waits',
    journal_value: (size: number, entries: number) =>
      entries === 0 ? bytes(size) : `${bytes(size)}, ${items(entries)}`,
    unknown: 'not known just now',
    room: 'Free for Spotter',
    text: 'What waits is never removed to make room. Delivered photos go when their days are over: “Delivered photos on this laptop” says when.',
    measuring: 'Looking…',
  },
  copies: {
    title: 'Daily copies',
    text: 'Once a day Spotter copies the records of this laptop’s own service and keeps the last seven copies. If the records get damaged, or something went badly wrong, go back to one of them. Photos are not in the copies: they stay where they are.',
    looking: 'Looking for copies…',
    none: 'There is no copy yet. Spotter makes one every day it runs.',
    unknown: 'The copies could not be read just now.',
    restore: 'Restore…',
    restore_of: (at: number) => `Restore the copy of ${f.moment(at)}…`,
    ask: 'Go back to this copy?',
    ask_text: (at: number) => `The records on this laptop will be as they were on ${f.moment(at)}.`,
    gone: 'What was entered, changed or delivered to this laptop’s service after that is gone from it.',
    waiting: 'What still waits to be sent stays, and is sent afterwards.',
    aside:
      'Nothing is deleted: the records as they are now are set aside in a folder of their own.',
    go: 'Restore',
    working: (at: number) => `Going back to the copy of ${f.moment(at)}. Keep Spotter open…`,
    done: (at: number) => `Done. The records are as they were on ${f.moment(at)}.`,
    done_text: (folder: string) =>
      `The records from before are kept beside them, in the folder ${folder}.`,
    not_running: 'This laptop’s service has not started again yet. Spotter keeps trying.',
    failed: 'The copy was not restored.',
  },
  everything: {
    title: 'Export and import',
    text: 'Everything of yours on this laptop in one file: what waits, what you have begun and not saved, the photos of both, and these settings. The access token is not in it.',
    export: 'Export everything',
    import: 'Import',
    exporting: (done: number) => `Writing the file: ${bytes(done)}`,
    exporting_of: (done: number, size: number) =>
      `Writing the file: ${bytes(done)} of about ${bytes(size)}`,
    stop: 'Stop',
    stopped: 'Stopped. No file was written.',
    exported: (name: string) => `${name} is in your downloads.`,
    failed: 'The file could not be written. Nothing on this laptop was changed.',
    needs_connection: 'Connect first: what is taken in joins the queue of whoever is signed in.',
    offer_title: 'Import this file?',
    from: (at: number) => `Exported ${f.moment(at)}.`,
    take: 'Take over',
    waiting: (n: number, m: number, size: number) =>
      m === 0
        ? `What waits: ${items(n)}`
        : `What waits: ${items(n)} with ${photos(m)}, ${bytes(size)}`,
    drafts: (n: number, m: number) =>
      m === 0 ? `Drafts: ${f.number(n)}` : `Drafts: ${f.number(n)} with ${photos(m)}`,
    settings: 'Settings: language, theme, photos',
    nothing: 'The file holds nothing that could be taken over here.',
    go: 'Import',
    photo: (k: number, n: number) => `Photo ${f.number(k)} of ${f.number(n)}`,
    done: (waiting: number, drafts: number, settings: boolean) =>
      waiting + drafts === 0 && !settings
        ? 'Everything in it is here already.'
        : `Imported: ${[
            ...(waiting > 0 ? [items(waiting)] : []),
            ...(drafts > 0 ? [count(drafts, { one: '# draft', other: '# drafts' })] : []),
            ...(settings ? ['settings'] : []),
          ].join(', ')}.`,
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
  licences: {
    show: 'Licences of the parts by others',
    about:
      'Spotter is under the MIT licence. It is built from the packages below, each under its own licence.',
    replace:
      'libheif (HEIC pictures) and libvips (small pictures) are under the LGPL. Each lies as a file of its own and may be replaced by a changed one: libheif is libheif.js in the window’s folder, libvips lies in node_modules/@img. LICENSES.txt in the program’s folder says how.',
    find: 'Find a package or a licence',
    found: (n: number) => count(n, { one: '# package', other: '# packages' }),
    none: 'No package by others has this in its name or licence.',
    no_text: 'This package comes without a text of its licence.',
    failed: 'The list could not be read. Open this part again.',
  },
  copy_failed: 'Could not copy. Select the text and copy it yourself.',
  saved: 'Setting saved.',
};
