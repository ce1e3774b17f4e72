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
  login: 'Starting with the computer',
  login_choices: { off: 'Off', on: 'Start Spotter' },
  login_notes: {
    off: 'Spotter is started by you.',
    on: 'What waits is sent without anybody opening Spotter.',
  },
  update: 'Updates',
  update_states: {
    off: 'This program looks for none: whoever gave it to you brings newer ones.',
    idle: 'No newer version is known.',
    looking: 'Looking for a newer version…',
    failed: 'The last look for a newer version did not work. Nothing was changed.',
  },
  update_fetching: (version: string) => `Version ${version} is being fetched.`,
  update_ready: (version: string) => `Version ${version} is here. It is put in when Spotter ends.`,
  update_waits: 'Something is still being sent: it goes first.',
  update_told: (version: string) =>
    `There is version ${version}. This computer’s own package manager puts it in.`,
  update_look: 'Look now',
  update_put_in: 'Put it in and open again',
  spelling: 'Spelling',
  spelling_choices: { off: 'Do not check', on: 'Check as I type' },
  spelling_notes: {
    off: 'Nothing is fetched from anybody.',
    on: 'Fetches a dictionary from Google once. Takes effect when Spotter is opened the next time.',
  },
};
