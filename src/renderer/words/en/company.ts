/** Sentences shared by insurances, members, webhooks and time-and-material files: freshness and refusals. */

export const company = {
  offline: 'Offline. Showing the copy on this laptop',
  offline_nothing: 'Offline, and nothing is on this laptop yet',
  not_allowed: 'You do not have permission to see this',
  known_here: 'Showing the copy on this laptop.',
  nothing_here: 'Nothing is on this laptop yet.',
  not_asked: 'Nothing is on this laptop yet',
  not_asked_text: 'It will download when you’re signed in and online.',
  error_todo: 'Spotter will try again when the connection changes. Or press Try again.',
  bring_back: 'Keep it',
  bring_back_name: (name: string) => `Keep ${name}`,
  take_back: 'Cancel sending',
  take_back_name: (name: string) => `Cancel sending: ${name}`,
  again_name: (name: string) => `Try again: ${name}`,
  brought_back: 'Kept. The deletion is cancelled.',
  taken_back: 'Sending cancelled.',
  tried_again: 'Spotter tries again.',
  outcome_unknown: 'The server may have done this already. Try again first.',
  day_order: {
    label: 'Dates in this file',
    unknown: 'Day or month first?',
    orders: { day_month: 'Day first: 31/12/2030', month_day: 'Month first: 12/31/2030' },
  },
};
