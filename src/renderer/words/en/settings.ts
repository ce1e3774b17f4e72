/** The settings. */
import { languageNames } from '../../../contract/languages.ts';
import { always } from '../always.ts';
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
  vault_memory: 'Kept until you close Spotter. No keychain was found.',
  vault_asking: 'Kept until you close Spotter, or in this computer’s keychain once you allow it.',
  vault_none: 'Not needed on this laptop.',
  sign_out: 'Sign out',
  sign_out_title: 'Sign out?',
  sign_out_text: (n: number) =>
    n === 0
      ? 'Spotter forgets the token. Your data stays on this laptop.'
      : `Spotter forgets the token. ${items(n)} ${n === 1 ? 'is' : 'are'} still waiting, safe on this laptop. Spotter sends ${n === 1 ? 'it' : 'them'} when the same user signs in again.`,
  signed_out: 'Signed out.',
  theme: 'Theme',
  themes: { system: 'Same as computer', light: 'Light', dark: 'Dark' },
  theme_notes: {
    system: 'Follows this computer',
    light: 'Best in sunlight',
    dark: 'Easier at night',
  },
  language: 'Language',
  /** Each language under its native name. */
  languages: { system: 'Same as computer', ...languageNames },
  language_notes: {
    system: 'Follows this computer',
    ...always,
  },
  language_saved: 'Spotter speaks the new language once its window is loaded again.',
  language_now: 'Load it now',
  sections: 'Sections',
  parts: { capture: 'Form', photos: 'Photo privacy and size' },
  choose: 'Appearance and language',
  storage: {
    title: 'Storage on this laptop',
    photos: 'Photos',
    rest: 'Everything else',
    database: 'Reports, drafts and thumbnails',
    journal: 'Backup of waiting reports',
    journal_value: (size: number, entries: number) =>
      entries === 0 ? bytes(size) : `${bytes(size)}, ${items(entries)}`,
    unknown: 'not available right now',
    room: 'Space left on this disk',
    text: 'Waiting reports are never removed to make room. Choose above how long delivered photos stay.',
    measuring: 'Checking…',
  },
  copies: {
    title: 'Daily backups',
    text: 'Spotter backs up the reports on this laptop once a day and keeps the last seven backups. If something goes badly wrong, restore one of them. Photos are not in the backups. They stay where they are.',
    looking: 'Looking for backups…',
    none: 'There is no backup yet. Spotter makes one every day it runs.',
    unknown: 'The backups could not be read right now.',
    restore: 'Restore…',
    restore_of: (at: number) => `Restore the backup of ${f.moment(at)}…`,
    ask: 'Restore this backup?',
    ask_text: (at: number) => `The reports on this laptop will be as they were on ${f.moment(at)}.`,
    gone: 'Anything saved or changed on this laptop after that will be gone.',
    waiting: 'Reports still waiting to be sent stay, and are sent afterwards.',
    aside: 'Nothing is deleted. Spotter moves the current reports to a separate folder.',
    go: 'Restore',
    working: (at: number) => `Restoring the backup of ${f.moment(at)}. Keep Spotter open…`,
    done: (at: number) => `Done. The reports are as they were on ${f.moment(at)}.`,
    done_text: (folder: string) => `The reports from before are kept in the folder ${folder}.`,
    not_running: 'Spotter has not restarted completely yet. It keeps trying.',
    failed: 'The backup was not restored.',
  },
  everything: {
    title: 'Export and import',
    text: 'All your work on this laptop in one file: waiting reports, drafts, their photos and these settings. The file does not contain the access token.',
    export: 'Export everything',
    import: 'Import',
    exporting: (done: number) => `Saving the file: ${bytes(done)}`,
    exporting_of: (done: number, size: number) =>
      `Saving the file: ${bytes(done)} of about ${bytes(size)}`,
    stop: 'Stop',
    stopped: 'Stopped. No file was saved.',
    exported: (name: string) => `${name} is in your downloads.`,
    failed: 'The file could not be saved. Nothing on this laptop was changed.',
    needs_connection:
      'Connect first. Spotter sends imported reports for the person who is signed in.',
    opened: (name: string) => `${name} is ready to import.`,
    look: 'Look at it',
    offer_title: 'Import this file?',
    from: (at: number) => `Exported ${f.moment(at)}.`,
    take: 'Import',
    waiting: (n: number, m: number, size: number) =>
      m === 0 ? `Waiting: ${items(n)}` : `Waiting: ${items(n)} with ${photos(m)}, ${bytes(size)}`,
    drafts: (n: number, m: number) =>
      m === 0 ? `Drafts: ${f.number(n)}` : `Drafts: ${f.number(n)} with ${photos(m)}`,
    settings: 'Settings: language, theme, photos',
    nothing: 'The file contains nothing to import.',
    go: 'Import',
    photo: (k: number, n: number) => `Photo ${f.number(k)} of ${f.number(n)}`,
    done: (waiting: number, drafts: number, settings: boolean) =>
      waiting + drafts === 0 && !settings
        ? 'Everything in the file is here already.'
        : `Imported: ${[
            ...(waiting > 0 ? [items(waiting)] : []),
            ...(drafts > 0 ? [count(drafts, { one: '# draft', other: '# drafts' })] : []),
            ...(settings ? ['settings'] : []),
          ].join(', ')}.`,
  },
  about: 'About Spotter',
  version: 'Spotter version',
  shell: 'Runs in',
  shells: { electron: 'its own window', browser: 'a browser window', test: 'a test' },
  platform: 'System',
  node: 'Node',
  waiting: 'Waiting',
  waiting_none: 'nothing',
  copy: 'Copy diagnostics',
  copy_hint: 'Versions and counts as text. No token, no names, no descriptions.',
  copied: 'Diagnostics copied.',
  diagnostics: 'Diagnostics',
  show_diagnostics: 'Show diagnostics',
  licences: {
    show: 'Third-party licences',
    about:
      'Spotter is under the MIT licence. It is built from the packages below, each under its own licence.',
    replace:
      'libheif (HEIC pictures) and libvips (small pictures) are under the LGPL. Each is a file of its own, and you may replace it with a modified one: libheif is libheif.js in the window’s folder, libvips is in node_modules/@img. LICENSES.txt in the program’s folder says how.',
    find: 'Find a package or a licence',
    found: (n: number) => count(n, { one: '# package', other: '# packages' }),
    none: 'No matches.',
    no_text: 'This package has no licence text.',
    failed: 'The list could not be read. Open this section again.',
  },
  copy_failed: 'Could not copy. Select the text and copy it yourself.',
  saved: 'Setting saved.',
};
