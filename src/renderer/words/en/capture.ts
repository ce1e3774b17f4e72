/** The form for a new near miss and for changes to one. */
import { count, f, photos } from './say.ts';

export const capture = {
  title: 'New near miss',
  edit_title: 'Edit near miss',
  what: 'What happened?',
  what_hint: 'One or two sentences are enough.',
  what_missing: 'Say in a few words what happened.',
  what_long: 'This is longer than the server takes (64 KB). Shorten it.',
  severity: 'How bad could it have been?',
  severity_notes: {
    minor: 'First aid at most',
    serious: 'Days off work',
    'could have killed': 'Life-changing or worse',
    fatal: 'Life-changing or worse',
  } as Readonly<Record<string, string>>,
  rating: {
    /** Where the server has no field for it. */
    levels: ['Minor', 'Serious', 'Could have killed'],
    level_notes: ['First aid at most', 'Days off work', 'Life-changing or worse'],
    open: 'Rate it 5 × 5',
    change: 'Change',
    clear: 'Clear the 5 × 5',
    title: 'How bad, how likely?',
    text: 'One square: how bad it could have been, and how likely it would happen again like this.',
    in_text: 'This server has no field for it: it is added to the end of your text.',
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
  where_hint: 'Floor, gate, axis…',
  when: 'When',
  from_photo: 'from photo',
  from_clock: 'now',
  /** The API knows no zone of the project: the computer's is used, and named. */
  when_zone: (zone: string) => `Time of this computer, ${zone}`,
  when_from: (from: string, zone: string) => `${from} · time of this computer, ${zone}`,
  incident: 'Incident',
  incident_missing: 'Choose the incident it belongs to.',
  required: (label: string) => `${label} is required here.`,
  not_a_number: 'Enter a number.',
  not_a_choice: 'This choice is no longer offered. Choose another.',
  choose: 'Choose…',
  nothing_fits: 'Nothing fits.',
  more_options: (n: number) => `${f.number(n)} more: type to narrow.`,
  clear: 'Clear',
  open_list: 'Show the list',
  typed_id: 'Type its number',
  typed_id_hint: 'This server gives no list to choose from.',
  more_fields: (names: readonly string[], rest: number) =>
    rest > 0
      ? `${names.join(', ')} and ${count(rest, { one: '# more field', other: '# more fields' })}`
      : names.join(', '),
  new_incident: {
    button: 'New incident',
    title: 'New incident',
    edit_title: 'Edit the incident',
    text: 'Kept on this laptop and sent before its near misses. No network needed.',
    name: 'What is it called?',
    name_missing: 'Give it a short name.',
    open: 'Open the incident',
    done: 'Incident opened. Its near misses go with it.',
    not_sent: 'opened here, not sent yet',
    not_here: 'This server takes no new incidents from here.',
  },
  suggestions: 'Suggested',
  unknown_fields: (names: string) =>
    `This Spotter does not know how to fill in ${names}. What stands there stays as it is.`,
  name_person: 'Name a person',
  name_person_why:
    'Nobody is named by default. A near miss is about what happened, not who: where nobody is named, more is reported.',
  again: {
    use: 'Same again',
    takes: (what: readonly string[]) => `as last time: ${f.list(what)}`,
    done: 'Taken over from your last report. Say what happened this time.',
  },
  drafts: {
    open: (n: number) => count(n, { one: '# more draft', other: '# more drafts' }),
    title: 'Not finished yet',
    empty: 'No words yet',
    facts: (at: string, n: number) => (n === 0 ? at : `${at} · ${photos(n)}`),
    go_on: 'Continue',
    go_on_with: (title: string) => `Continue ${title}`,
    throw: 'Discard',
    throw_this: (title: string) => `Discard ${title}`,
    fresh: 'Start a new one',
    undo: 'Undo',
    back: 'The draft is back.',
  },
  people: 'people',
  people_first: 'People',
  equipment: 'equipment',
  yes: 'Yes',
  no: 'No',
  photos: 'Photos',
  drop: 'Drop photos or videos here',
  paste: 'or paste them',
  drop_now: 'Let go to add',
  take: 'Take a photo',
  files: 'Choose files',
  adding: (name: string) => `Adding ${name}`,
  remove: (name: string) => `Remove ${name}`,
  removed: 'Photo removed.',
  stop: (name: string) => `Stop adding ${name}`,
  steps: {
    waiting: 'Waits its turn',
    writing: 'Being written to disk',
    scaling: 'Being made smaller',
    done: 'Done',
  },
  written: (written: number, size: number) => `${f.bytes(written)} of ${f.bytes(size)}`,
  video: 'Video',
  no_preview: 'No preview',
  cleaned: 'Place and names removed',
  size: {
    smaller: (before: number, after: number) => `${f.bytes(before)} → ${f.bytes(after)}`,
    send_original: 'Send the original',
    send_smaller: 'Send a smaller one',
    busy: 'Making it smaller…',
    no_smaller: (name: string) => `${name} would not get smaller. It is sent as it is.`,
  },
  duplicate: (name: string) => `${name}: this photo is already on the report.`,
  too_many_pixels: (width: number, height: number) =>
    `It says it is ${f.number(width)} × ${f.number(height)} pixels, more than any camera makes. Opening it could fill this computer’s memory.`,
  ask: {
    damaged: (name: string) =>
      `${name} is damaged: what it may say of places and people cannot be found and removed.`,
    unknown_parts: (name: string) =>
      `${name} is built in a way Spotter does not know: what it may say of places and people cannot be removed safely.`,
    stopped: (name: string) =>
      `Reading ${name} took more time or memory than a photo needs, so it was stopped. The file is safe where it is. It can be added as it is, without a picture of it and with whatever it says of places and people.`,
    add: 'Add it as it is',
    leave_out: 'Leave it out',
  },
  offer: {
    title: 'From the photo',
    time: (local: string) => {
      const at = new Date(local);
      return Number.isNaN(at.getTime()) ? local.replace('T', ' ') : f.moment(at.getTime());
    },
    no_zone: 'The camera’s own clock. It does not say its time zone.',
    zone: (local: string, offset: string | null) =>
      offset === null
        ? `${local} on the camera’s clock. Set right by GPS time.`
        : `${local} on the camera’s clock (UTC${offset === 'Z' ? '' : offset}).`,
    use_time: 'Use as time',
    place: (
      { latitude, longitude }: { latitude: number; longitude: number },
      direction: number | null,
    ) => {
      const at = `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
      return direction === null ? at : `${at}, facing ${Math.round(direction)}°`;
    },
    place_cleaned: 'Removed from the photo itself. It goes along only if you use it here.',
    place_kept: 'Also stays inside the photo.',
    use_place: 'Use as place',
    not: (what: string) => `Not ${what}`,
  },
  photo_refused: (name: string, why: string) => `${name} was not added. ${why}`,
  existing: 'Already there',
  save: 'Save',
  save_another: 'Save and add another',
  saving: 'Saving…',
  save_wait: 'Photos are still being written to disk…',
  draft_kept: 'Draft kept as you type.',
  draft_restored: 'You are continuing a draft.',
  draft_discard: 'Start over',
  draft_discard_text: (n: number) =>
    n === 0
      ? 'What you typed is removed from this laptop.'
      : `What you typed and ${photos(n)} are removed from this laptop.`,
  draft_gone: 'Draft discarded.',
  edit_restored: 'Your unfinished changes are back.',
  edit_discard_title: 'Discard these changes?',
  edit_gone: 'Changes discarded.',
  no_network: 'No network needed:',
  no_network_text: 'it is sent when you are online.',
  saved: 'Saved on this laptop.',
  saved_changes: 'Changes saved on this laptop.',
  open_it: 'Open it',
  shortcut: 'Ctrl + Enter saves',
  cannot_save: 'Not saved yet.',
  fix: (n: number) => count(n, { one: 'One field needs you.', other: '# fields need you.' }),
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
      'Spotter is not allowed to use the camera. Allow it in the system’s settings, or choose photo files instead.',
    busy: 'Another program is using the camera. Close it and try again, or choose photo files instead.',
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
    off: 'The form leaves out who was affected until somebody wants to name a person.',
    on: 'The person and the party are always among the fields.',
  },
  keys: 'Keys for a new near miss',
  keys_choices: { on: (keys: string) => keys, off: 'Off' },
  keys_refused: (keys: string) => `Another program has ${keys}: they do nothing in Spotter.`,
  keys_none_free: 'None of the others that Spotter knows is free either.',
  keys_take: (keys: string) => `Use ${keys}`,
  key_shift: 'Shift',
  keys_notes: {
    on: 'From any program, while Spotter runs. Where another program has these keys, it keeps them.',
    off: 'Alt + N in Spotter’s own window always works.',
  },
  keys_browser: 'Alt + N in Spotter’s own window. Keys for any program need the desktop program.',
};
