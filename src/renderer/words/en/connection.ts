/** Where near misses go and who signs in: the connect screen, signing in again. */
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
  vault_asking_short:
    'This computer may be asking about the keychain: allow Spotter, and you stay signed in.',
  address_missing: 'Enter the server’s address.',
  address_bad: 'This is not an address. It should start with https:// or http://.',
  token_missing: 'Enter the token.',
  number_missing: 'Enter a whole number.',
  project_missing: 'Choose a project.',
  refused_token: 'The server does not accept this token. Check that it was copied whole.',
  refused_company: 'This token does not belong to the company with this number.',
  no_service: 'There is no service for Spotter at this address.',
  again_todo: 'Check the address and the connection, then press the button again.',
  in_use: 'In use',
  change_safe:
    'What waits for the connection of now stays safe on this laptop, and is sent when you come back to it.',
  keep: 'Keep it as it is',
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
  asking: 'Is this computer asking you about the keychain?',
  asking_text: (n: number) =>
    n === 0
      ? 'Look for its question and allow Spotter: it waits two minutes for you. You can go on working meanwhile.'
      : `Look for its question and allow Spotter: it waits two minutes for you. ${items(n)} ${n === 1 ? 'is' : 'are'} safe on this laptop meanwhile.`,
  hung: 'The keychain does not answer',
  denied: 'The keychain refused Spotter',
  absent: 'The keychain is gone',
  locked_text: (n: number) =>
    n === 0
      ? 'Unlock it, then press Try again. You can go on working meanwhile.'
      : `Unlock it, then press Try again. ${items(n)} ${n === 1 ? 'is' : 'are'} safe on this laptop meanwhile.`,
};
