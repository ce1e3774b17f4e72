/** The report box: its switch, its posters, and the inbox. */
import { count } from './say.ts';

export const box = {
  about:
    'A poster with a QR code lets everybody on site report from their own phone: a text, photos, a name if they want. No app, no account, no internet.',
  stays: 'Reports come to this laptop only. Nothing is sent on before you file it.',
  lets: 'While it is on, phones on the chosen network can reach this laptop.',
  none: 'This program has no report box',
  none_text: 'Start Spotter’s own program to use it.',
  turn_on: 'Turn on',
  turn_off: 'Turn off',
  print: 'Print the poster',
  code: 'QR code of the report box',
  states: {
    none: 'Not available',
    off: 'The box is off',
    open: 'The box is open',
    no_network: 'The network is not there',
    port_taken: 'Another program is in the way',
    failed: 'The system does not allow it',
  },
  todo: {
    off: 'Phones cannot send. Reports that are here stay.',
    no_network:
      'The posters name an address that this laptop does not have now. When it is back, the box opens. If the address has changed, choose the new network and print new posters.',
    port_taken:
      'Another program uses the port that is on the posters. End it, or make new posters.',
    failed: 'Allow Spotter in the firewall, then turn the box off and on.',
  },
  at: (address: string) => `Address: ${address}`,
  network: 'Network',
  network_hint:
    'A hotspot always keeps its address. On a Wi-Fi, ask for a fixed one: a new address needs new posters.',
  no_networks:
    'This laptop is in no network. Join the site’s Wi-Fi or start a hotspot, then look here again.',
  wifi: 'Name of the Wi-Fi for the poster',
  renew: 'New posters…',
  renew_title: 'Make the old posters invalid?',
  renew_text:
    'The code changes. The page of an old poster says that the poster is no longer valid. Reports and their codes stay.',
  renew_yes: 'Make new ones',
  renewed: 'The code is new. Print the poster again.',
  inbox: 'Waiting',
  empty: 'Nothing is waiting',
  empty_text: 'Reports from phones appear here.',
  no_text: 'No text, only photos',
  no_name: 'No name',
  by: (name: string) => `From ${name}`,
  written_in: (language: string) => `Page in ${language}`,
  code_of: (code: string) => `Code ${code}`,
  photo: (n: number) => `Photo ${n}`,
  file: 'File it',
  filing: 'Opening…',
  cannot_read: 'A photo could not be read. Try again.',
  told_by: (name: string) => `Told by: ${name}`,
  discard: 'Discard…',
  discard_title: 'Discard this report?',
  discard_text:
    'Phones show your reason when somebody asks with the code. The report is kept for 30 days.',
  reason: 'Reason',
  reason_hint: 'For example: we know of it, number 112 is about it.',
  reason_missing: 'Say why.',
  discard_yes: 'Discard',
  discarded: 'Discarded.',
  closed: 'Filed and discarded',
  was_filed: (number: string) => (number === '' ? 'Filed' : `Filed as ${number}`),
  was_discarded: (reason: string) => `Discarded: ${reason}`,
  open: 'Open it',
  put_back: 'Put back',
  more: (n: number) => count(n, { one: 'Show # more', other: 'Show # more' }),
};
