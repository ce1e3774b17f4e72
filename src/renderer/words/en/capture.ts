/** The form for a new near miss and for edits. */
import { count, f, photos } from './say.ts';

export const capture = {
  title: 'New near miss',
  edit_title: 'Edit near miss',
  edit_title_of: (number: string) => `Edit near miss ${number}`,
  /** After the label of a field that must be filled in. */
  must: 'required',
  what: 'What happened?',
  what_hint: 'One or two sentences are enough.',
  what_missing: 'Say in a few words what happened.',
  what_long: 'This text is too long. Shorten it.',
  severity: 'Potential severity',
  /** The form asks for the potential severity in these words. */
  how_bad: 'How bad could it have been?',
  severity_notes: {
    minor: 'First aid at most',
    serious: 'Days off work',
    'could have killed': 'Or changed a life',
    fatal: 'Life-changing or worse',
  } as Readonly<Record<string, string>>,
  /** Common catalog names in lower case, translated. English shows a name as the catalog has it. */
  catalog_names: {} as Readonly<Record<string, string>>,
  rating: {
    /** Used if the server has no field for the severity. */
    levels: ['Minor', 'Serious', 'Could have killed'],
    level_notes: ['First aid at most', 'Days off work', 'Or changed a life'],
    open: 'Risk matrix',
    change: 'Change',
    clear: 'Clear the risk matrix',
    title: 'Risk matrix',
    text: 'Pick one square: how bad it could have been, and how likely it is to happen again.',
    in_text: 'This server has no field for it, so Spotter adds it to the end of your description.',
    severity: 'How bad',
    likelihood: 'How likely',
    severities: ['No harm', 'First aid', 'Days off work', 'Life-changing', 'Death'],
    likelihoods: ['Very unlikely', 'Unlikely', 'Possible', 'Likely', 'Almost certain'],
    bands: { low: 'Low', medium: 'Medium', high: 'High' },
    cell: (severity: string, likelihood: string, score: number, band: string) =>
      `${severity}, ${likelihood}: ${f.number(score)}, ${band}`,
    chosen: (severity: string, likelihood: string, score: number, band: string) =>
      `5 × 5: ${severity}, ${likelihood} = ${f.number(score)}, ${band}`,
    /** Part of the record. Spotter parses it again by its shape, in any language: `… (3 of 3).` and `… 5 × 5: … 4, … 2.` */
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
  job_from: {
    last: 'From your last report. Change it if this happened elsewhere.',
    guess: 'Spotter’s guess. Check that it is right.',
  },
  /** Who will see the report: a sentence beside Save, and a few words in the box of a private job. */
  audience: {
    everyone: 'Everyone on this project will see this.',
    only_you: 'Only you will see this.',
    only_you_short: 'Only you',
    named: (names: readonly string[]) => `Only ${f.list(['you', ...names])} will see this.`,
    others: (n: number) => `Only you and ${f.number(n)} others will see this.`,
    others_short: (n: number) => `You and ${count(n, { one: '# other', other: '# others' })}`,
    listed: 'Only the people on this job’s list will see this.',
    listed_short: 'People on its list',
  },
  incident_missing: 'Choose a job or area.',
  required: (label: string) => `${label} is required.`,
  not_a_number: 'Enter a number, such as 1250 or 12.5.',
  not_a_choice: 'This choice is no longer offered. Choose another.',
  choose: 'Choose…',
  nothing_fits: 'No matches.',
  more_options: (n: number) => `${f.number(n)} more. Keep typing to narrow the list.`,
  clear: 'Clear',
  open_list: 'Show the list',
  typed_id: 'Enter the number',
  typed_id_hint: 'This server has no list to choose from.',
  more_details: 'More details',
  new_incident: {
    button: 'New job or area',
    short: 'New',
    title: 'New job or area',
    edit_title: 'Edit the job or area',
    text: 'Works offline.',
    name: 'What is it called?',
    name_missing: 'Give it a short name.',
    open: 'Create',
    done: 'Job or area added.',
    not_sent: 'created here, not sent yet',
    not_here: 'This server does not accept new jobs or areas from Spotter.',
  },
  suggestions: 'Suggested',
  unknown_fields: (names: string) =>
    `This version of Spotter cannot edit ${names}. The value is kept.`,
  name_person: 'Name a person',
  name_person_why:
    'No one is named by default. A near miss is about what happened, not who did it: people report more when no one is named.',
  start: {
    menu: 'Start from…',
    last: 'Last report',
    trade: 'A trade',
  },
  again: {
    takes: (what: readonly string[]) => f.list(what),
    done: 'Copied from your last report. Now say what happened this time.',
    done_alike: 'Copied where, job or area, company and work activity.',
    alike: (n: number, place: string, there: number) =>
      place === ''
        ? count(n, { one: '# similar report', other: '# similar reports' })
        : `${count(n, { one: '# similar report', other: '# similar reports' })}, ${f.number(there)} at ${place}`,
    alike_title: 'Copy one of these',
    alike_about: 'Copies where, job or area, company and work activity.',
  },
  folder: {
    button: 'Watch a folder',
    about: 'Offers its new photos here',
    title: (name: string) => `New in ${name}`,
    none: (name: string) => `No new photos in ${name}.`,
    asks: (name: string) => `Check ${name} for new photos?`,
    look: 'Check',
    gone: (name: string) =>
      `Spotter can’t read ${name} right now. Put the card in or connect the phone, then try again.`,
    stop: (name: string) => `Stop watching ${name}`,
    span: (from: string, to: string) => `${from} to ${to}`,
    add: (n: number) => count(n, { one: 'Add #', other: 'Add #' }),
    not_these: 'Skip',
    more: (n: number) =>
      count(n, { one: '# older group after these.', other: '# older groups after these.' }),
  },
  trades: {
    about: 'Fills in harm source, work activity and immediate action.',
    filled: (name: string) => `Filled in for ${name.toLowerCase()}. Check the immediate action.`,
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
    title: 'Draft',
    empty: 'No text yet',
    facts: (at: string, n: number, first: boolean): string =>
      [...(first ? [capture.drafts.title] : []), at, ...(n === 0 ? [] : [photos(n)])].join(' · '),
    go_on: 'Continue',
    go_on_with: (title: string) => `Continue ${title}`,
    throw: 'Discard',
    throw_this: (title: string) => `Discard ${title}`,
    fresh: 'New report',
    undo: 'Undo',
    back: 'Draft restored.',
  },
  yes: 'Yes',
  no: 'No',
  photos: 'Photos',
  drop: 'Drop photos or videos here',
  paste: 'or paste them',
  drop_more: 'Drop more here, or',
  drop_now: 'Drop to add',
  take: 'Take a photo',
  take_short: 'Take',
  files: 'Choose files',
  files_short: 'Choose',
  adding: (name: string) => `Adding ${name}`,
  /** The menu of one photo. */
  photo: {
    more: (name: string) => `More for ${name}`,
    to_front: 'Move to the front',
    earlier: 'Move earlier',
    later: 'Move later',
    copy_place: 'Copy its location',
    save: 'Save a copy',
    remove: 'Remove',
  },
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
  previewing: 'Making a preview…',
  cut_off:
    'The file is cut off, so part of the picture is missing. You can send it like this, or copy it from the camera again.',
  /** One line for all photos of a report. */
  privacy: {
    will: 'Location and names are removed before anything is sent.',
    stays: 'Photos keep their location and names.',
    removed: (n: number) => `Location and names removed from ${photos(n)}.`,
    size: (bytes: string) => `${bytes} in all.`,
  },
  size: {
    smaller: (before: number, after: number) => `${f.bytes(before)} → ${f.bytes(after)}`,
    send_original: 'Send the original',
    send_smaller: 'Send a smaller one',
    busy: 'Shrinking…',
    no_smaller: (name: string) => `${name} cannot be made smaller. The original will be sent.`,
  },
  duplicate: (name: string) => `${name} is already on this report.`,
  too_many_pixels: (width: number, height: number) =>
    `This picture is too large to open safely (${f.number(width)} × ${f.number(height)} pixels).`,
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
    from_photo: 'from photo',
    undo: 'Undo',
    time: (local: string) => {
      const at = new Date(local);
      return Number.isNaN(at.getTime()) ? local.replace('T', ' ') : f.moment(at.getTime());
    },
    two_times: 'This file has two times. Choose the right one.',
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
    place_copied: 'Location copied.',
    place_not_copied: 'Could not copy the location.',
    not: (what: string) => `Not ${what}`,
  },
  photo_refused: (name: string, why: string) => `${name} was not added. ${why}`,
  existing: 'Attached',
  save: 'Save',
  save_another: 'Save and add another',
  saving: 'Saving…',
  save_wait: 'Photos are still being saved…',
  ahead: 'This time is in the future. Check the day and the time.',
  draft_saved: (time: string) => `Draft saved ${time}`,
  draft_restored: 'You are continuing a draft.',
  draft_discard: 'Discard',
  draft_discard_text: (n: number) =>
    n === 0
      ? 'What you typed is removed from this laptop.'
      : `What you typed and ${photos(n)} are removed from this laptop.`,
  draft_gone: 'Draft discarded.',
  edit_restored: 'You have unsaved changes.',
  edit_discard_title: 'Discard these changes?',
  edit_gone: 'Changes discarded.',
  no_network: 'Works offline.',
  saved: 'Saved on this laptop.',
  saved_changes: 'Changes saved on this laptop.',
  open_it: 'Open it',
  shortcut: 'Ctrl + Enter saves',
  /** Above the form and at the field of a report that the server rejected. */
  refused_title: 'The server rejected this report.',
  refused_here: (says: string) => `The server says: “${says}”.`,
  refused_todo: 'Fix the report and save it. Spotter sends it again.',
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
    button_short: 'Phone',
    title: 'Photos from a phone',
    starting: 'Preparing the code…',
    code: 'QR code for the phone',
    steps: [
      'Put the phone on the same Wi-Fi as this laptop.',
      'Scan this code with the phone’s camera.',
      'Choose the photos on the phone.',
    ] as readonly string[],
    network: 'Network',
    at: (host: string) => `For one phone, once. Keep this window open. Address: ${host}`,
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
    nothing: 'Can’t the phone open the page?',
    nothing_todo:
      'Phone and laptop must be on the same Wi-Fi, and not on a guest network. If the computer asked whether Spotter may use the network, allow it. Or turn on this laptop’s hotspot and connect the phone to it.',
    no_network:
      'This laptop is not on a network, so no phone can reach it. Turn on the laptop’s hotspot (Windows: Settings, Network & internet, Mobile hotspot), connect the phone to it, then try again.',
    failed:
      'Spotter is not allowed to use this network. Allow it in the computer’s firewall, then try again.',
    again: 'Try again',
    anew: 'New code',
    stop: 'Stop',
    another: 'A second phone has scanned this code.',
    another_todo:
      'It can’t see or send anything. If the connected phone is not yours, press “New code”.',
    silent: 'The phone has stopped sending.',
    silent_todo: 'Wake its screen and keep the page open. It continues where it stopped.',
    closed: {
      asked: 'The code has expired because the screen locked or another window opened.',
      idle: 'The code has expired because no photos came for ten minutes.',
      refused: 'Another device on this network tried to get in, so Spotter cancelled the code.',
      window: 'The code has expired because the computer was asleep.',
      account: 'The code has expired because you signed out.',
      failed: 'The network was lost.',
    },
  },
  camera_name: (at: number) => {
    const d = new Date(at);
    const two = (n: number) => String(n).padStart(2, '0');
    return `Photo ${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}${two(d.getMinutes())}${two(d.getSeconds())}.jpg`;
  },
};
