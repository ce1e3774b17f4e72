/** Where near misses go and who signs in: the connect screen, signing in again. */
import { items } from './say.ts';

export const connect = {
  title: 'Where should near misses go?',
  intro:
    'You can change this later in Settings. Near misses are always saved on this laptop first.',
  laptop: 'Sample data',
  laptop_text:
    'Look around with a made-up company. No network and no account needed. Everything stays on this laptop.',
  laptop_go: 'Try it with sample data',
  firm: 'This laptop',
  firm_text:
    'Real work without a server. It starts empty, and everything stays on this laptop. Sample data is kept apart.',
  firm_go: 'Start on this laptop',
  firm_back: 'Go to this laptop’s data',
  firm_title: 'Start on this laptop',
  firm_intro: 'Fill in three names and you can report. You can change the project’s name later.',
  firm_company: 'Your company',
  firm_project: 'Your project or site',
  firm_user: 'Your name',
  firm_job: 'First job or area',
  firm_job_hint:
    'Near misses are filed under it, for example “Roof, east side”. You can add more at any time.',
  firm_missing: 'Enter a name.',
  firm_long: 'This is too long.',
  firm_start: 'Start',
  firm_starting: 'Preparing…',
  server: 'Our company’s server',
  server_text: 'Near misses are sent to the server whenever there is a connection.',
  server_go: 'Connect to a server',
  address: 'Server address',
  address_hint: 'Ask your office for it, for example https://safety.example.com',
  token: 'Access token',
  token_hint: 'Like a password, for this app only. Ask your office for it.',
  company_id: 'Company number',
  company_hint: 'Your company’s number on that server.',
  check: 'Continue',
  checking: 'Checking…',
  back: 'Back',
  company: 'Company',
  project: 'Project',
  project_id: 'Project number',
  project_hint: 'This server does not list its projects. Ask your office for the number.',
  hello: (name: string) => `Signed in as ${name}. Choose the project.`,
  hello_typed: 'Signed in. Now enter the project number.',
  choose_project: 'Choose a project',
  no_projects: 'You have no project on this server yet. Ask your office to add you to one.',
  finish: 'Connect',
  finishing: 'Connecting…',
  vault_keychain:
    'The token is kept in this computer’s keychain. Without a keychain, it is kept until you close Spotter.',
  vault_memory:
    'Spotter found no keychain. You will have to sign in again each time you open Spotter. Saved near misses are not affected.',
  vault_memory_short: 'No keychain found. You will have to sign in again after closing Spotter.',
  vault_asking_short:
    'This computer may be asking about the keychain. Allow Spotter to stay signed in.',
  address_missing: 'Enter the server’s address.',
  address_bad: 'This is not a web address. It should start with https:// or http://.',
  token_missing: 'Enter the token.',
  number_missing: 'Enter a whole number.',
  project_missing: 'Choose a project.',
  refused_token: 'The server does not accept this token. Check that you copied the whole token.',
  refused_company: 'This token does not belong to the company with this number.',
  no_service: 'There is no Spotter server at this address.',
  again_todo: 'Check the address and the connection, then try again.',
  in_use: 'In use',
  change_safe:
    'Reports waiting for the current connection stay safe on this laptop. They will be sent when you switch back.',
  keep: 'Keep this connection',
  starting: 'Starting…',
};

export const sign_in = {
  title: 'Please sign in again',
  text: (n: number) =>
    n === 0
      ? 'You can keep working. New near misses are saved on this laptop.'
      : `${items(n)} ${n === 1 ? 'is' : 'are'} safe on this laptop and will be sent after you sign in.`,
  go: 'Sign in',
  locked: 'The keychain is locked',
  asking: 'Is this computer asking you about the keychain?',
  asking_text: (n: number) =>
    n === 0
      ? 'Look for the computer’s question and allow Spotter within two minutes. You can keep working.'
      : `Look for the computer’s question and allow Spotter within two minutes. ${items(n)} ${n === 1 ? 'is' : 'are'} safe on this laptop.`,
  hung: 'The keychain is not answering',
  denied: 'The keychain refused Spotter',
  absent: 'The keychain is missing',
  locked_text: (n: number) =>
    n === 0
      ? 'Unlock the keychain, then press Try again. You can keep working.'
      : `Unlock the keychain, then press Try again. ${items(n)} ${n === 1 ? 'is' : 'are'} safe on this laptop.`,
};
