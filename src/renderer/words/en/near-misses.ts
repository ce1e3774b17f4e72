/** The list of near misses, one near miss, and the recycle bin. */
import type { ShownName } from '../../../contract/rest/near-miss-fields.ts';
import { bytes, count, f, near, photos } from './say.ts';

/** The labels of the table of fields (contract/rest/near-miss-fields.ts), on every screen and in files. */
export const field_labels = {
  description: 'What happened',
  harm_source: 'Harm source',
  work_activity: 'Work activity',
  managed_equipment: 'Equipment',
  affected_company: 'Affected company',
  affected_party: 'Affected contact',
  affected_person: 'Affected person',
} satisfies Record<ShownName, string>;

export const list = {
  title: 'Near misses',
  all: (n: number) => `All ${f.number(n)}`,
  /** On the chip, before its number. */
  any_all: 'All',
  more: 'List options',
  export: (how: string) => `Export: ${how}`,
  /** The worst severity by its catalog name. `n` is null until counted. */
  worst: (name: string, n: number | null) => (n === null ? name : `${name} ${f.number(n)}`),
  not_delivered: (n: number) => `Not delivered ${f.number(n)}`,
  harm_source: 'Harm source',
  sort: (name: string) => `Sort: ${name}`,
  newest: 'Newest',
  reported: (when: string) => `reported ${when}`,
  comments: (n: number) => count(n, { one: '# comment', other: '# comments' }),
  sorts: {
    best: 'Best match',
    created_at: 'Reported',
    event_time: 'Time of the event',
    severity: 'Severity',
    place: 'Place',
    number: 'Number in the job or area',
    full_number: 'Number',
    harm_source: 'Harm source',
    work_activity: 'Work activity',
    managed_equipment: 'Equipment',
    affected_company: 'Affected company',
    affected_person: 'Affected person',
    removed_at: 'Date deleted',
  },
  orders: {
    severity: {
      up: 'Least severe first',
      down: 'Most severe first',
    },
    date: { up: 'Oldest first', down: 'Newest first' },
    number: { up: 'Lowest first', down: 'Highest first' },
    name: { up: 'A to Z', down: 'Z to A' },
  },
  filters: 'Filters',
  filters_on: (n: number) => `Filters, ${f.number(n)} in use`,
  filter: {
    title: 'Filters',
    show: (n: number) => count(n, { one: 'Show # near miss', other: 'Show # near misses' }),
    none: 'No matches. Remove a filter.',
    clear: 'Clear all',
    reported: 'Reported',
    any: 'Any time',
    today: 'Today',
    week: 'This week',
    last_week: 'Last week',
    month: 'This month',
    last_month: 'Last month',
    days: 'Between two days',
    from: 'From',
    to: 'To',
    since: (day: string) => `Reported from ${day}`,
    until: (day: string) => `Reported until ${day}`,
    between: (from: string, to: string) => `Reported ${from} to ${to}`,
    any_one: 'Any',
    find: (name: string) => `${name}: type to search`,
    more: (n: number) => `${f.number(n)} more. Type to search.`,
    nothing: 'No matches',
    counted: (name: string, n: number) => `${name}, ${f.number(n)}`,
    chosen: (field: string, value: string) => `${field}: ${value}`,
    take_away: (name: string) => `Remove filter ${name}`,
    in_use: 'Filters in use',
    search: (text: string) => `“${text}”`,
    reporter: 'Reported by',
    mine: 'Me',
    photos: 'Photos',
    with_photos: 'With photos',
    answered: 'Your reports with a new answer',
    commented: 'Yours with new comments',
    unanswered: 'Without an answer',
    on_plan: (label: string, is_area: boolean) =>
      is_area ? `On ${label}, one area` : `On ${label}`,
    without_photos: 'Without photos',
    either: 'Either',
  },
  /** The field that contains a match outside the title. */
  found_in: (place: string) => `in ${place}:`,
  loose: 'Showing reports with all of these words.',
  reading: (done: number, total: number) =>
    `Still searching: ${f.number(done)} of ${f.number(total)}. There may be more matches.`,
  index_failed:
    'Some reports on this laptop could not be read and may be missing here. Nothing was deleted.',
  news: {
    count: (n: number) => `New ${f.number(n)}`,
    since: (n: number) =>
      count(n, {
        one: '# new or changed since you last looked',
        other: '# new or changed since you last looked',
      }),
    seen: 'Mark all as seen',
    is_new: 'New',
    changed: 'Changed',
  },
  answer_for_code: 'Answer for a code',
  print: 'Print the list',
  select: 'Select',
  views: {
    save: 'Save as view',
    remove: (name: string) => `Remove the view ${name}`,
    removed: (name: string) => `View ${name} removed.`,
  },
  bulk: {
    count: (n: number) => count(n, { one: '# selected', other: '# selected' }),
    none: 'Select near misses',
    all: (n: number) => `Select all ${f.number(n)}`,
    end: 'Done',
    tick: (title: string) => `Select ${title}`,
    recycle: 'Delete',
    recycle_ask: (n: number) =>
      count(n, {
        one: 'Move # near miss to the recycle bin?',
        other: 'Move # near misses to the recycle bin?',
      }),
    recycle_text: 'They keep their numbers and photos there, and you can restore them at any time.',
    recycling: (done: number, of: number) =>
      `Moving to the recycle bin: ${f.number(done)} of ${f.number(of)}`,
    restoring: (done: number, of: number) => `Restoring: ${f.number(done)} of ${f.number(of)}`,
    stop: 'Stop',
    recycled: (n: number) =>
      count(n, {
        one: '# near miss moved to the recycle bin.',
        other: '# near misses moved to the recycle bin.',
      }),
    restored: (n: number) =>
      count(n, { one: '# near miss restored.', other: '# near misses restored.' }),
    never_sent: (n: number) =>
      count(n, {
        one: '# was never sent and was skipped. Open it to delete it.',
        other: '# were never sent and were skipped. Open them one by one to delete them.',
      }),
    not_allowed: (n: number) =>
      count(n, {
        one: '# was skipped: somebody else reported it.',
        other: '# were skipped: other people reported them.',
      }),
    stopped: (left: number) =>
      count(left, {
        one: 'Stopped. # was not changed.',
        other: 'Stopped. # were not changed.',
      }),
    undo: 'Undo',
    restore: 'Restore',
  },
  refreshing: 'Updating…',
  refreshing_of: (done: number, total: number) =>
    `Updating: ${f.number(done)} of ${f.number(total)}…`,
  refresh: 'Refresh',
  refreshed: (at: number, now: number) => `Updated ${f.lately(at, now)}`,
  never: 'Not updated yet',
  missing: (done: number, total: number) =>
    `${f.number(done)} of ${f.number(total)} are on this laptop. The rest will download when you’re online.`,
  refresh_failed: 'Could not update.',
  empty: 'No near misses yet',
  empty_text:
    'The first one takes half a minute. It is saved on this laptop, with or without a network.',
  first_fetch: 'Downloading this project’s near misses…',
  unfetched: 'Nothing on this laptop yet',
  unfetched_text:
    'The near misses on the server will download when you’re online. What you report now is saved here.',
  none_found: 'No matches',
  none_found_text: 'No near miss matches your search and filters.',
  clear: 'Show all',
  loading: 'Loading…',
  shown: (n: number) => count(n, { one: '# near miss shown', other: '# near misses shown' }),
  row: (title: string, facts: string, word: string) => `${title}. ${facts}. ${word}`,
  unfinished: {
    title: 'Drafts',
    drafts: (n: number) => count(n, { one: '# draft', other: '# drafts' }),
    edit: 'Unsaved changes',
  },
  untitled: 'No description',
  photos,
};

export const detail = {
  back: 'All near misses',
  number: (full: string) => `Near miss ${full}`,
  no_number: 'Not numbered yet',
  edit: 'Edit',
  more: 'More actions',
  history: 'History on this laptop',
  share: 'Share',
  share_copy: 'Copy as text',
  share_mail: 'Email',
  share_copied: 'Copied. No names are in it.',
  share_not_copied: 'Could not copy. Select the text on this page and copy it instead.',
  share_no_mail: 'No email app opened. Copy the report as text instead.',
  bin: 'Delete',
  binned: 'Moved to the recycle bin.',
  restored: 'Restored.',
  restore: 'Restore',
  incident: 'Job or area',
  private_incident: 'Private',
  reported_by: 'Reported by',
  yes: 'Yes',
  no: 'No',
  photos: 'Photos',
  open_photo: (name: string) => `Open ${name}`,
  photo_waiting: 'Waiting',
  photo_sending: (share: number) => `Sending ${f.percent(share)}`,
  photo_checked: 'Delivered',
  photo_states: 'Photos not delivered',
  photo_there: 'On the server',
  photo_needs_you: 'Needs attention',
  take_off: 'Remove photo',
  take_off_title: 'Remove this photo?',
  take_off_text:
    'The photo is removed from this near miss, here and on the server. You cannot undo this once it is sent.',
  take_off_local: 'The photo is removed from this near miss. You cannot undo this.',
  taken_off: 'Photo removed.',
  gone: 'This near miss is not on this laptop',
  gone_text: 'Look in the recycle bin, or change to its project.',
  in_bin: 'This near miss is in the recycle bin.',
  pending_edit: 'Your changes are saved on this laptop and waiting to be sent.',
  needs_you: 'This report needs your attention.',
  conflict: 'Someone else changed this report too.',
  conflict_text: 'Both versions are kept until you choose for each field.',
  see_waiting: 'Go to Waiting',
  never_sent_title: 'Delete this near miss?',
  never_sent_text:
    'This near miss was never sent, so it does not go to the recycle bin. The near miss and its photos are deleted from this laptop for good.',
  never_sent_go: 'Delete for good',
  receipt_details: 'Details',
  local_text: 'nobody else has this report yet.',
  local_backup: 'See backups',
  receipt_label: 'Delivery receipt',
  receipt_all: (n: number, at: number, now: number, of = n) =>
    of === 0
      ? `report accepted by the server, ${near(at, now)}`
      : `${n === of ? photos(of) : `${f.number(n)} of ${photos(of)}`}, ${near(at, now)}`,
  receipt_part: (n: number, of: number) => `${f.number(n)} of ${photos(of)} checked so far`,
  receipt_head: (n: number, of = n) => (n === 0 || n < of ? 'Delivered' : 'Delivered and checked'),
  receipt_record: 'Report delivered',
  receipt_waiting: 'Saved on this laptop',
  receipt_waiting_text: (n: number) =>
    n === 0 ? 'not sent yet' : `not sent yet, with ${photos(n)}`,
  receipt_elsewhere: 'Reported from another device',
  receipt_id: (id: number, number: string, at: number) =>
    number === ''
      ? `Server reference ${id}, received ${f.moment(at)}`
      : `Number ${number}, server reference ${id}, received ${f.moment(at)}`,
  receipt_size: (size: number, at: number | null) =>
    at === null ? `${f.number(size)} B` : `${f.number(size)} B · checked ${f.moment(at)}`,
  receipt_sha: (sha256: string) => `sha256 ${sha256}`,
  receipt_by: { proof: 'proved by the server', bytes: 'read back and compared' },
  receipt_files: 'Files checked',
  viewer: {
    title: 'Photo',
    close: 'Close',
    previous: 'Previous photo',
    next: 'Next photo',
    zoom_in: 'Zoom in',
    zoom_out: 'Zoom out',
    fit: 'Fit to window',
    loading: 'Loading full size…',
    loaded: (read: number, size: number) => `${bytes(read)} of ${bytes(size)}`,
    no_view: 'Spotter cannot show this file. Save it and open it in another program.',
    save: 'Save this file',
    position: (at: number, of: number) => `${f.number(at)} of ${f.number(of)}`,
  },
  full_unavailable: 'You’re offline, so this is the small version.',
};

export const bin = {
  title: 'Recycle bin',
  text: 'Deleted near misses. Restoring one brings back its number, fields and photos.',
  offline:
    'Offline. Showing the copy on this laptop. You can restore now, and the server follows when you’re online.',
  empty: 'The recycle bin is empty',
  empty_text: 'Deleted near misses go here. You can restore them at any time.',
  deleted: (at: number, now: number) => `Deleted ${near(at, now)}`,
  restore: 'Restore',
  going: 'Not sent yet',
  restored: 'Restored.',
  more: (n: number) => `Show ${f.number(n)} more`,
  search: 'Search the recycle bin',
  all: (n: number) => `All ${f.number(n)}`,
  none_found: 'No matches',
  none_found_text: 'No near miss in the recycle bin matches your search and filters.',
};
