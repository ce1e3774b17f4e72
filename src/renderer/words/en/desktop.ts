/** The settings of the desktop program. */

export const desktop = {
  title: 'Desktop app',
  by_company: 'Set by your company',
  policy_ignored: (names: string) =>
    `Spotter can’t read part of your company’s settings (${names}) and uses yours instead. Your reports are safe. Tell your IT support.`,
  closing: 'When you close the window while reports are waiting',
  closings: { ask: 'Ask', keep_sending: 'Keep sending', end: 'Quit' },
  closing_notes: {
    ask: 'Spotter asks what to do.',
    keep_sending: 'Spotter keeps sending from the tray and quits when everything is sent.',
    end: 'Waiting reports are safe here and will be sent the next time you open Spotter.',
  },
  notices: 'Notifications',
  notice_choices: { on: 'On', off: 'Off' },
  notice_notes: {
    on: 'Only when something needs your attention, or when everything was sent while you were away.',
    off: 'You still see it in the window.',
  },
  login: 'Start with the computer',
  login_choices: { off: 'Off', on: 'On' },
  login_notes: {
    off: 'You start Spotter yourself.',
    on: 'Waiting reports are sent without anyone opening Spotter.',
  },
  update: 'Updates',
  update_states: {
    off: 'Updates are off. Ask your IT support for new versions.',
    idle: 'Spotter is up to date.',
    looking: 'Checking for updates…',
    failed: 'Spotter could not check for updates. Nothing was changed.',
  },
  update_fetching: (version: string) => `Downloading version ${version}.`,
  update_ready: (version: string) =>
    `Version ${version} is ready. It will be installed when you quit Spotter.`,
  update_waits: 'Spotter is still sending. It will finish that first.',
  update_announced: (version: string) =>
    `Version ${version} is available. Ask your IT support to install it.`,
  update_look: 'Check now',
  update_put_in: 'Install and restart',
  graphics: 'Graphics',
  graphics_choices: { on: 'Fast', off: 'Safe' },
  graphics_notes: {
    on: 'Uses the graphics chip of this computer.',
    off: 'For a window that flickers or stays white or black. Works the next time you open Spotter.',
  },
  spelling: 'Spelling',
  spelling_choices: { off: 'Off', on: 'Check as I type' },
  spelling_notes: {
    off: 'Nothing is downloaded.',
    on: 'Downloads a dictionary from Google once. Works the next time you open Spotter.',
  },
};
