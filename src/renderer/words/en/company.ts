/** What insurances, members, webhooks and time-and-material files say in common: how fresh they are, what was refused. */

export const company = {
  offline: 'Offline: this is what this laptop knows',
  offline_nothing: 'Offline, and nothing of this is on this laptop yet',
  not_allowed: 'You are not allowed to see the newest',
  known_here: 'Shown is what this laptop knows; it is safe.',
  nothing_here: 'Nothing of this is on this laptop yet.',
  not_asked: 'Nothing of this is on this laptop yet',
  not_asked_text: 'It is fetched once Spotter is signed in and the server answers.',
  error_todo: 'Spotter tries again when the connection changes, or press Try again.',
  bring_back: 'Bring back',
  bring_back_name: (name: string) => `Bring back ${name}`,
  take_back: 'Take back',
  take_back_name: (name: string) => `Take back: ${name}`,
  again_name: (name: string) => `Try again: ${name}`,
  brought_back: 'It stays. The server is not asked to delete it any more.',
  taken_back: 'Taken back.',
  tried_again: 'It is tried again now, or with the next connection.',
  unsure: 'Nobody knows yet whether the server has done it. Try again first.',
};
