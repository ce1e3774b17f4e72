/** Choices of mail from the server to this user. */

export const mail = {
  title: 'Email to you',
  to: (login: string) => `Your company’s server writes to ${login}:`,
  kinds: {
    assigned: 'when I am named for a follow-up',
    due: 'when my follow-up is due tomorrow or overdue',
    done: 'when my report is answered or its follow-up is done',
    comments: 'when somebody comments on a report of mine, on my follow-up, or where I commented',
    severe: 'when a report has the highest severity',
    weekly: 'once a week, with the figures of the last week',
  },
  language: 'Language of the emails',
  unreachable:
    'Your server sends email, but your login is not an email address. Ask an admin to add you with one.',
  offline: 'Email can be chosen while Spotter reaches the server.',
};
