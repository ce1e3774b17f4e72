/** The settings of the desktop program. */

export const desktop = {
  title: 'Desktop program',
  closing: 'When the window is closed while something waits',
  closings: { ask: 'Ask', keep_sending: 'Go on sending', end: 'Quit' },
  closing_notes: {
    ask: 'Spotter asks what to do.',
    keep_sending:
      'Spotter sends from the tray, without its window, and ends when everything has gone.',
    end: 'What waits is safe here and goes the next time Spotter is opened.',
  },
  notices: 'Notifications',
  notice_choices: { on: 'Show them', off: 'Show none' },
  notice_notes: {
    on: 'Only where you are needed, or when everything has gone while you were away.',
    off: 'The window still tells.',
  },
  spelling: 'Spelling',
  spelling_choices: { off: 'Do not check', on: 'Check as I type' },
  spelling_notes: {
    off: 'Nothing is fetched from anybody.',
    on: 'Fetches a dictionary from Google once. Takes effect when Spotter is opened the next time.',
  },
};
