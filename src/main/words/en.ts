/** The shell's own words in English: menus, dialogs, tray and notifications. The window's words are in renderer/words. */

const near_misses = (n: number): string => (n === 1 ? '1 near miss' : `${n} near misses`);

export const words = {
  menu: {
    file: 'File',
    edit: 'Edit',
    view: 'View',
    go: 'Go',
    window: 'Window',
    help: 'Help',
    new_near_miss: 'New near miss',
    import: 'Import…',
    export: 'Export…',
    print: 'Print…',
    save_pdf: 'Save as PDF…',
    settings: 'Settings…',
    close: 'Close window',
    quit: 'Quit Spotter',
    undo: 'Undo',
    redo: 'Redo',
    cut: 'Cut',
    copy: 'Copy',
    paste: 'Paste',
    paste_plain: 'Paste as plain text',
    delete: 'Delete',
    select_all: 'Select all',
    find: 'Find near misses',
    near_misses: 'Near misses',
    waiting: 'Waiting',
    reload: 'Reload window',
    actual_size: 'Actual size',
    zoom_in: 'Larger',
    zoom_out: 'Smaller',
    full_screen: 'Full screen',
    developer_tools: 'Developer tools',
    minimize: 'Minimise',
    zoom: 'Zoom',
    front: 'Bring all to front',
    about: 'About Spotter',
    services: 'Services',
    hide: 'Hide Spotter',
    hide_others: 'Hide others',
    show_all: 'Show all',
    keys: 'Help and keys',
    service_docs: 'API documentation',
    diagnostics: 'Copy diagnostics',
  },
  context: {
    no_suggestion: 'No suggestion',
    copy_picture: 'Copy picture',
    save_picture: 'Save picture…',
    copy_link: 'Copy link',
  },
  tray: {
    newer: (version: string) => `Version ${version} is available`,
    show: 'Open Spotter',
    waiting: (n: number) => (n === 0 ? 'Nothing is waiting' : `${near_misses(n)} waiting`),
  },
  cannot_run: {
    title: 'Spotter cannot start',
    stopped: 'Spotter has stopped',
    already_running: {
      what: 'Spotter is already open with this data folder.',
      safe: 'Nothing is lost.',
      todo: 'Close the other Spotter, then try again.',
    },
    no_space: {
      what: 'The disk is full.',
      safe: 'What you saved before is safe.',
      todo: 'Free up some space, then try again.',
    },
    unusable_folder: {
      what: 'The data folder cannot be used.',
      safe: 'Nothing in it was changed.',
      todo: 'Check that the folder exists and that you can write to it, then try again.',
    },
    damaged: {
      what: 'This installation of Spotter is damaged: a part of the program is missing.',
      safe: 'What you saved is safe.',
      todo: 'Install Spotter again. Your data folder is not changed.',
    },
    no_sandbox: {
      what: 'This system does not let Spotter protect its window, so Spotter will not start.',
      safe: 'What you saved is safe.',
      todo: 'Install the Spotter package for your system (deb or rpm) in place of the AppImage, or ask your administrator.',
    },
    lost_folder: {
      what: 'Spotter has stopped: another Spotter may be using its data folder.',
      safe: 'What you saved is safe.',
      todo: 'Close the other Spotter, then try again.',
    },
    again: 'Try again',
    quit: 'Quit',
  },
  closing: {
    message: (n: number) =>
      n === 1
        ? '1 near miss is still waiting to be sent.'
        : `${n} near misses are still waiting to be sent.`,
    detail:
      'They are safe on this laptop either way. Spotter can keep sending in the background, or send them the next time you open it.',
    keep_sending: 'Keep sending',
    end: 'Quit now',
    cancel: 'Cancel',
    remember: 'Do this every time',
    copying: 'Photos or files are still being copied to this laptop.',
    copying_detail:
      'Those that are not copied yet are lost if you close Spotter now. Wait until the form shows them all.',
    stay: 'Wait',
    close_anyway: 'Close anyway',
  },
  stopped: {
    message: 'Spotter’s window stopped working three times in a minute.',
    detail: 'What you saved is safe on this laptop, in the folder below.',
    again: 'Open it again',
    folder: 'Show the folder',
    quit: 'Quit',
  },
  graphics: {
    message: 'The graphics driver of this computer stopped twice in a minute.',
    detail:
      'Spotter can work without it, a little slower. What you saved is safe, and what you are writing is kept as a draft. You can change this in Settings, under Desktop app.',
    turn_off: 'Restart without it',
    keep: 'Not now',
  },
  uncaught: {
    message: 'Spotter had an unexpected error and has to close.',
    detail:
      'What you saved is safe, and what you are writing is kept as a draft. Open Spotter again to continue. The details help your IT support and may contain file names.',
    quit: 'Quit',
    copy: 'Copy the details and quit',
  },
  hangs: {
    message: 'Spotter’s window is not responding.',
    detail:
      'You can wait, or reload it. What you saved is safe, and what you are writing is kept as a draft.',
    wait: 'Wait',
    again: 'Reload',
  },
  notice: {
    parked: (n: number) => ({
      title: n === 1 ? 'A near miss needs your attention' : `${n} near misses need your attention`,
      body: 'Open Waiting to see why. Everything is safe on this laptop.',
    }),
    signed_out: { title: 'Please sign in again', body: 'Waiting reports are safe on this laptop.' },
    keychain: {
      title: 'The keychain needs your attention',
      body: 'Unlock the keychain to keep sending. Waiting reports are safe.',
    },
    all_sent: { title: 'Everything has been sent', body: 'Nothing is waiting.' },
    due: (n: number) => ({
      title: n === 1 ? 'A follow-up is due' : `${n} follow-ups are due`,
      body: 'Open the list to see what has to be done.',
    }),
  },
  pdf: { title: 'Save as PDF', failed: 'The PDF could not be saved.' },
};
