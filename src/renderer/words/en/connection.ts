/** Where near misses go and who signs in: the connect screen, signing in again, the settings. */
import { items } from './say.ts';

export const connect = {
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

export const sign_in = {
  title: 'Sign in again to send',
  text: (n: number) =>
    n === 0
      ? 'There is no token that the server accepts. You can go on working; new near misses are saved on this laptop.'
      : `There is no token that the server accepts. ${items(n)} ${n === 1 ? 'is' : 'are'} safe on this laptop and will be sent after you sign in.`,
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
  language: 'Language',
  /** Each language by its own name, so that whoever reads it finds it. */
  languages: { system: 'As the system', en: 'English', es: 'Español' },
  language_notes: {
    system: 'What this computer’s user reads',
    en: 'Always English',
    es: 'Siempre en español',
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
