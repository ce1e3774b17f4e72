/** The form for a new near miss and for changes to one. */
import { count, f, photos } from './say.ts';

export const capture = {
  title: 'New near miss',
  edit_title: 'Edit near miss',
  edit_title_of: (number: string) => `Edit near miss ${number}`,
  what: 'What happened?',
  what_hint: 'One or two sentences are enough.',
  what_missing: 'Say in a few words what happened.',
  what_long: 'This is too long for the server (64 KB). Shorten it.',
  severity: 'Potential severity',
  severity_notes: {
    minor: 'First aid at most',
    serious: 'Days off work',
    'could have killed': 'Life-changing or worse',
    fatal: 'Life-changing or worse',
  } as Readonly<Record<string, string>>,
  /** Names of a server's catalog that firms share, in lower case, as another language says them. */
  catalog_names: {
    minor: 'Minor',
    serious: 'Serious',
    'could have killed': 'Could have killed',
    fatal: 'Fatal',
    'falling object': 'Falling object',
    'working at height': 'Working at height',
    'moving vehicle': 'Moving vehicle',
    electricity: 'Electricity',
    'slip or trip': 'Slip or trip',
    'lifting operation': 'Lifting operation',
    'excavation edge': 'Excavation edge',
    'stored pressure': 'Stored pressure',
    formwork: 'Formwork',
    'rebar fixing': 'Rebar fixing',
    'crane lift': 'Crane lift',
    excavation: 'Excavation',
    'concrete pour': 'Concrete pour',
    'scaffold erection': 'Scaffold erection',
    'steel erection': 'Steel erection',
    'traffic management': 'Traffic management',
    'potential severity': 'Potential severity',
    severity: 'Severity',
    likelihood: 'Likelihood',
    location: 'Location',
    'event time': 'Event time',
    'photo captions': 'Photo captions',
    'immediate action': 'Immediate action',
    'people nearby': 'People nearby',
    'work stopped': 'Work stopped',
    'follow-up': 'Follow-up',
    'follow-up by': 'Follow-up by',
    'follow-up date': 'Follow-up date',
    'follow-up done': 'Follow-up done',
    weather: 'Weather',
    dry: 'Dry',
    rain: 'Rain',
    wind: 'Wind',
    fog: 'Fog',
    'snow or ice': 'Snow or ice',
    dark: 'Dark',
  } as Readonly<Record<string, string>>,
  rating: {
    /** Where the server has no field for it. */
    levels: ['Minor', 'Serious', 'Could have killed'],
    level_notes: ['First aid at most', 'Days off work', 'Life-changing or worse'],
    open: 'Risk matrix',
    change: 'Change',
    clear: 'Clear the risk matrix',
    title: 'Risk matrix',
    text: 'Pick one square: how bad it could have been, and how likely it is to happen again.',
    in_text: 'This server has no field for it. It is added to the end of your description.',
    severity: 'How bad',
    likelihood: 'How likely',
    severities: ['No harm', 'First aid', 'Days off work', 'Life-changing', 'Death'],
    likelihoods: ['Very unlikely', 'Unlikely', 'Possible', 'Likely', 'Almost certain'],
    bands: { low: 'Low', medium: 'Medium', high: 'High' },
    cell: (severity: string, likelihood: string, score: number, band: string) =>
      `${severity}, ${likelihood}: ${f.number(score)}, ${band}`,
    chosen: (severity: string, likelihood: string, score: number, band: string) =>
      `5 × 5: ${severity}, ${likelihood} = ${f.number(score)}, ${band}`,
    /**
     * Stands in the record for every reader. Spotter reads it back by its shape, in any language: `… (3 of 3).`, and
     * `… 5 × 5: … 4, … 2.`
     */
    level_in_text: (level: 0 | 1 | 2): string =>
      [
        'It could have been minor (1 of 3).',
        'It could have been serious (2 of 3).',
        'It could have killed (3 of 3).',
      ][level] ?? '',
    risk_in_text: (severity: number, likelihood: number) =>
      `Risk 5 × 5: severity ${severity}, likelihood ${likelihood}.`,
  },
  where: 'Where',
  where_hint: 'Level, gate, gridline…',
  when: 'When',
  action: 'Immediate action',
  action_hint: 'What was done straight away',
  incident: 'Job or area',
  closed_incident: 'closed',
  incident_missing: 'Choose a job or area.',
  required: (label: string) => `${label} is required here.`,
  not_a_number: 'Enter a number, as 1250 or 12.5.',
  not_a_choice: 'This choice is no longer offered. Choose another.',
  choose: 'Choose…',
  nothing_fits: 'No matches.',
  more_options: (n: number) => `${f.number(n)} more. Keep typing to narrow the list.`,
  clear: 'Clear',
  open_list: 'Show the list',
  typed_id: 'Enter the number',
  typed_id_hint: 'This server does not offer a list.',
  more_fields: (names: readonly string[], rest: number) =>
    rest > 0
      ? `${names.join(', ')} and ${count(rest, { one: '# more field', other: '# more fields' })}`
      : names.join(', '),
  new_incident: {
    button: 'New job or area',
    title: 'New job or area',
    edit_title: 'Edit the job or area',
    text: 'Saved on this laptop and sent before its near misses. No network needed.',
    name: 'What is it called?',
    name_missing: 'Give it a short name.',
    open: 'Create',
    done: 'Created. It will be sent first.',
    not_sent: 'created here, not sent yet',
    not_here: 'This server does not accept new jobs or areas from Spotter.',
  },
  suggestions: 'Suggested',
  unknown_fields: (names: string) =>
    `This version of Spotter cannot edit ${names}. The value is kept.`,
  name_person: 'Name a person',
  name_person_why:
    'No one is named by default. A near miss is about what happened, not who did it: people report more when no one is named.',
  again: {
    use: 'Same again',
    takes: (what: readonly string[]) => `copies ${f.list(what)}`,
    done: 'Copied from your last report. Now say what happened this time.',
    done_alike: 'Copied where, job or area, company and work activity.',
    alike: (n: number, place: string, there: number) =>
      place === ''
        ? count(n, { one: '# similar report', other: '# similar reports' })
        : `${count(n, { one: '# similar report', other: '# similar reports' })}, ${f.number(there)} at ${place}`,
    alike_title: 'Report one of these again',
    alike_about: 'Copies where, job or area, company and work activity.',
  },
  folder: {
    button: 'Watch a folder',
    /** On its button, beside the others. */
    short: 'Folder',
    title: (name: string) => `New in ${name}`,
    none: (name: string) => `${name}: no new photos. Spotter only reads this folder.`,
    asks: (name: string) => `Look for new photos in ${name} again?`,
    look: 'Look',
    gone: (name: string) =>
      `${name} can’t be read right now. Put the card in, or connect the phone, then try again.`,
    stop: (name: string) => `Stop watching ${name}`,
    span: (from: string, to: string) => `${from} to ${to}`,
    add: (n: number) => count(n, { one: 'Add #', other: 'Add #' }),
    not_these: 'Not these',
    more: (n: number) => count(n, { one: '# older group below.', other: '# older groups below.' }),
  },
  trades: {
    menu: 'By trade',
    title: 'What kind of work?',
    about: 'Fills in harm source, work activity and immediate action.',
    filled: (name: string) => `Filled in for ${name.toLowerCase()}. Check what was done.`,
    emptied: 'Cleared again.',
    names: {
      scaffold: 'Scaffold',
      lifting: 'Lifting',
      electrical: 'Electrical',
      excavation: 'Excavation',
      vehicles: 'Vehicles and plant',
      hot_work: 'Hot work',
    },
    actions: {
      scaffold: 'Scaffold closed off and tagged out of use until inspected.',
      lifting: 'Lift stopped, area under the load cleared.',
      electrical: 'Power switched off and locked out.',
      excavation: 'Edge closed off, everyone kept back.',
      vehicles: 'Vehicle stopped, people kept out of its way.',
      hot_work: 'Work stopped, fire watch kept.',
    },
  },
  drafts: {
    open: (n: number) => count(n, { one: '# more draft', other: '# more drafts' }),
    title: 'Not finished yet',
    empty: 'No text yet',
    facts: (at: string, n: number, first: boolean): string =>
      [...(first ? [capture.drafts.title] : []), at, ...(n === 0 ? [] : [photos(n)])].join(' · '),
    go_on: 'Continue',
    go_on_with: (title: string) => `Continue ${title}`,
    throw: 'Discard',
    throw_this: (title: string) => `Discard ${title}`,
    fresh: 'Start a new one',
    undo: 'Undo',
    back: 'Draft restored.',
  },
  people: 'People',
  equipment: 'equipment',
  yes: 'Yes',
  no: 'No',
  photos: 'Photos',
  drop: 'Drop photos or videos here',
  paste: 'or paste them',
  drop_now: 'Drop to add',
  take: 'Take a photo',
  files: 'Choose files',
  adding: (name: string) => `Adding ${name}`,
  remove: (name: string) => `Remove ${name}`,
  removed: 'Photo removed.',
  stop: (name: string) => `Stop adding ${name}`,
  steps: {
    waiting: 'Queued',
    writing: 'Saving',
    scaling: 'Shrinking',
    done: 'Done',
  },
  written: (written: number, size: number) => `${f.bytes(written)} of ${f.bytes(size)}`,
  video: 'Video',
  no_preview: 'No preview',
  cleaned: 'Location and names removed',
  size: {
    smaller: (before: number, after: number) => `${f.bytes(before)} → ${f.bytes(after)}`,
    send_original: 'Send the original',
    send_smaller: 'Send a smaller one',
    busy: 'Shrinking…',
    no_smaller: (name: string) => `${name} cannot be made smaller. The original will be sent.`,
  },
  duplicate: (name: string) => `${name} is already on this report.`,
  too_many_pixels: (width: number, height: number) =>
    `The file claims to be ${f.number(width)} × ${f.number(height)} pixels, more than any camera takes. Opening it could use up this computer’s memory.`,
  ask: {
    damaged: (name: string) =>
      `${name} is damaged, so Spotter can’t remove the location and personal data from it.`,
    unknown_parts: (name: string) =>
      `${name} is in an unusual format. Spotter can’t remove the location and personal data from it.`,
    stopped: (name: string) =>
      `Reading ${name} took too long, so Spotter stopped. The file itself is safe. You can add it without a preview, with its location and personal data.`,
    add: 'Add anyway',
    leave_out: 'Don’t add',
  },
  offer: {
    title: 'Time from the photo',
    used: (local: string): string => `Time from the photo: ${capture.offer.time(local)}`,
    undo: 'Undo',
    time: (local: string) => {
      const at = new Date(local);
      return Number.isNaN(at.getTime()) ? local.replace('T', ' ') : f.moment(at.getTime());
    },
    no_zone: 'From the camera’s clock, which has no time zone.',
    zone: (local: string, offset: string | null) =>
      offset === null
        ? `${local} on the camera’s clock, corrected by GPS.`
        : `${local} on the camera’s clock (UTC${offset === 'Z' ? '' : offset}).`,
    use_time: 'Use as time',
    place: (
      { latitude, longitude }: { latitude: number; longitude: number },
      direction: number | null,
    ) => {
      const at = `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
      return direction === null ? at : `${at}, facing ${Math.round(direction)}°`;
    },
    place_cleaned: 'Removed from the photo and not sent. Click to copy it.',
    place_kept: 'Also stays in the photo. Click to copy it.',
    copy_place: (name: string, place: string) => `Copy the place of ${name}: ${place}`,
    place_copied: 'Place copied.',
    place_not_copied: 'The place could not be copied.',
    not: (what: string) => `Not ${what}`,
  },
  photo_refused: (name: string, why: string) => `${name} was not added. ${why}`,
  existing: 'Attached',
  save: 'Save',
  save_another: 'Save and add another',
  saving: 'Saving…',
  save_wait: 'Photos are still being saved…',
  draft_kept: 'Draft saved as you type.',
  draft_restored: 'You are continuing a draft.',
  draft_discard: 'Start over',
  draft_discard_text: (n: number) =>
    n === 0
      ? 'What you typed is removed from this laptop.'
      : `What you typed and ${photos(n)} are removed from this laptop.`,
  draft_gone: 'Draft discarded.',
  edit_restored: 'You have unsaved changes.',
  edit_discard_title: 'Discard these changes?',
  edit_gone: 'Changes discarded.',
  no_network: 'No network needed:',
  no_network_text: 'it will be sent when you’re online.',
  saved: 'Saved on this laptop.',
  saved_changes: 'Changes saved on this laptop.',
  open_it: 'Open it',
  shortcut: 'Ctrl + Enter saves',
  /** Over the form and at the field of a report that the server did not accept. */
  refused_title: 'The server rejected this report.',
  refused_here: (says: string) => `The server says: “${says}”.`,
  refused_todo: 'Correct the report and save it. It is then sent again.',
  cannot_save: 'Not saved yet.',
  fix: (n: number) => count(n, { one: '# field to complete:', other: '# fields to complete:' }),
  camera: {
    title: 'Take a photo',
    close: 'Close',
    starting: 'Starting the camera…',
    shoot: 'Take the photo',
    done: 'Done',
    other: 'Use the other camera',
    choose: 'Choose files instead',
    taken: (n: number) => count(n, { one: '# photo added', other: '# photos added' }),
    none: 'No camera was found on this computer. You can choose photo files instead.',
    denied:
      'Spotter is not allowed to use the camera. Allow it in the computer’s settings, or choose photo files instead.',
    busy: 'Another program is using the camera. Close it and try again, or choose photo files instead.',
    lost: 'The camera was disconnected. Connect it and try again, or choose photo files instead. Photos you took are kept.',
    again: 'Try again',
  },
  phone: {
    button: 'From a phone',
    title: 'Photos from a phone',
    starting: 'Preparing the code…',
    code: 'QR code for the phone',
    steps: [
      'Put the phone on the same Wi-Fi as this laptop.',
      'Scan this code with the phone’s camera.',
      'Choose the photos on the phone.',
    ] as readonly string[],
    network: 'Network',
    at: (host: string) =>
      `Works once, for one phone, while this window is open. The phone opens ${host}.`,
    seen: 'The phone has opened the page…',
    joined: 'Phone connected. Now choose the photos on it.',
    here: (n: number, all: number) =>
      `${f.number(n)} of ${count(all, { one: '# photo', other: '# photos' })} in this report`,
    states: {
      checked: 'Adding…',
      kept: 'Added',
      there: 'Already on this report',
      asks: 'See the question below the photos',
    },
    refused: {
      not_a_photo: 'Not a photo or video',
      empty: 'The file is empty',
      too_large: 'Over 2 GB',
      too_many: 'Too many for one code',
      no_space: 'This laptop’s disk is full',
      differs: 'Damaged on the way',
      other: 'Not added',
    },
    nothing: 'The phone cannot open the page?',
    nothing_todo:
      'Phone and laptop must be on the same Wi-Fi, and not on a guest network. If the computer asked whether Spotter may use the network, allow it. Or turn on this laptop’s hotspot and connect the phone to it.',
    no_network:
      'A phone cannot reach this laptop: it is not on a network. Turn on the laptop’s hotspot (Windows: Settings, Network & internet, Mobile hotspot), connect the phone to it, then try again.',
    failed:
      'Spotter may not use this network. Allow it in the computer’s firewall, then try again.',
    again: 'Try again',
    anew: 'New code',
    stop: 'Stop',
    another: 'A second phone has scanned this code.',
    another_todo:
      'It can see and send nothing. If the connected phone is not yours, press “New code”.',
    silent: 'The phone is not sending just now.',
    silent_todo: 'Wake its screen and keep the page open. It continues where it stopped.',
    closed: {
      asked: 'The code has expired: the screen was locked, or another window was opened.',
      idle: 'The code has expired: no photos came for ten minutes.',
      refused: 'Something else on this network tried to get in, so the code was cancelled.',
      window: 'The code has expired: the computer was asleep.',
      account: 'The code has expired: you signed out.',
      failed: 'The network was lost.',
    },
  },
  camera_name: (at: number) => {
    const d = new Date(at);
    const two = (n: number) => String(n).padStart(2, '0');
    return `Photo ${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}${two(d.getMinutes())}${two(d.getSeconds())}.jpg`;
  },
};

/** Settings of the form. */
export const capture_settings = {
  title: 'New near misses',
  people: 'Naming people',
  peoples: { off: 'Only when asked for', on: 'Always ask' },
  people_notes: {
    off: 'The form does not ask who was affected until you choose to name a person.',
    on: 'The affected person and party are always on the form.',
  },
  fields: 'Fields of this project’s form',
  fields_text:
    'Spotter finds these fields by their labels. If your company uses another label, choose the field here.',
  by_label: (label: string) => (label === '' ? 'By its label: none' : `By its label: ${label}`),
  no_field: 'None',
  keys: 'Shortcut for a new near miss',
  keys_choices: { on: (keys: string) => keys, off: 'Off' },
  keys_refused: (keys: string) =>
    `Another program is using ${keys}, so the shortcut does nothing in Spotter.`,
  keys_none_free: 'The other shortcuts are taken too.',
  keys_take: (keys: string) => `Use ${keys}`,
  key_shift: 'Shift',
  keys_notes: {
    on: 'Works in any program while Spotter is running, unless another program uses these keys.',
    off: 'Alt + N always works in the Spotter window.',
  },
  keys_browser:
    'Alt + N in the Spotter window. A shortcut for every program needs the desktop app.',
};
