/** The list, one near miss, the recycle bin. */
import { bytes, count, f, near, photos } from './say.ts';

export const list = {
  title: 'Near misses',
  all: (n: number) => `All ${f.number(n)}`,
  /** The worst severity, by its own name in the catalog. Null: not counted yet. */
  worst: (name: string, n: number | null) => (n === null ? name : `${name} ${f.number(n)}`),
  this_week: 'This week',
  not_delivered: (n: number) => `Not delivered ${f.number(n)}`,
  harm_source: 'Harm source',
  sort: (name: string) => `Sort: ${name}`,
  newest: 'newest',
  /** What a list can be sorted by. */
  sorts: {
    created_at: 'reported',
    number: 'number in its incident',
    full_number: 'full number',
    harm_source: 'harm source',
    work_activity: 'work activity',
    managed_equipment: 'equipment',
    affected_company: 'affected company',
    affected_person: 'affected person',
    removed_at: 'sent to the bin',
  },
  up: 'Ascending: first to last. Press to turn round.',
  down: 'Descending: last to first. Press to turn round.',
  filters: 'Filters',
  filters_on: (n: number) => `Filters, ${f.number(n)} in use`,
  filter: {
    title: 'Filters',
    text: 'Only what is in use is offered, with how many near misses have it.',
    show: (n: number) => count(n, { one: 'Show # near miss', other: 'Show # near misses' }),
    none: 'Nothing fits: take a filter away',
    clear: 'Clear all',
    reported: 'Reported',
    any: 'Any time',
    today: 'Today',
    week: 'This week',
    month: 'This month',
    days: 'Between two days',
    from: 'From',
    to: 'To',
    since: (day: string) => `Reported from ${day}`,
    until: (day: string) => `Reported until ${day}`,
    between: (from: string, to: string) => `Reported ${from} to ${to}`,
    any_one: 'Any',
    find: (name: string) => `Find in ${name}`,
    more: (n: number) => `and ${f.number(n)} more: type to find one`,
    nothing: 'Nothing of that name is in use',
    counted: (name: string, n: number) => `${name}, ${f.number(n)}`,
    unnamed: (id: number) => `No. ${id}`,
    chosen: (field: string, value: string) => `${field}: ${value}`,
    take_away: (name: string) => `Remove filter ${name}`,
    in_use: 'Filters in use',
    search: (text: string) => `“${text}”`,
  },
  loose: 'Nothing has exactly these words. These have each of them.',
  reading: (done: number, total: number) =>
    `Reading this laptop’s records: ${f.number(done)} of ${f.number(total)}. More may fit.`,
  index_failed:
    'The records of this laptop could not all be read: some may be missing here. Nothing was deleted.',
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
  select: 'Choose several',
  bulk: {
    count: (n: number) => count(n, { one: '# chosen', other: '# chosen' }),
    none: 'Tick near misses to choose them',
    all: (n: number) => `Choose all ${f.number(n)}`,
    end: 'Done choosing',
    tick: (title: string) => `Choose ${title}`,
    recycle: 'Send to recycle bin',
    recycle_ask: (n: number) =>
      count(n, {
        one: 'Send # near miss to the recycle bin?',
        other: 'Send # near misses to the recycle bin?',
      }),
    recycle_text:
      'They are kept there with their numbers and photos, and can be restored at any time. With no network they go with the next connection.',
    recycling: (done: number, of: number) =>
      `Sending to the recycle bin: ${f.number(done)} of ${f.number(of)}`,
    restoring: (done: number, of: number) => `Restoring: ${f.number(done)} of ${f.number(of)}`,
    stop: 'Stop',
    recycled: (n: number) =>
      count(n, {
        one: '# near miss sent to the recycle bin.',
        other: '# near misses sent to the recycle bin.',
      }),
    restored: (n: number) =>
      count(n, { one: '# near miss restored.', other: '# near misses restored.' }),
    never_sent: (n: number) =>
      count(n, {
        one: '# was never sent and was left out: delete it by itself.',
        other: '# were never sent and were left out: delete them one by one.',
      }),
    stopped: (left: number) =>
      count(left, {
        one: 'Stopped; # was left as it was.',
        other: 'Stopped; # were left as they were.',
      }),
    undo: 'Undo',
    restore: 'Restore',
  },
  refreshing: 'Getting the newest…',
  refreshing_of: (done: number, total: number) =>
    `Getting ${f.number(done)} of ${f.number(total)}…`,
  refresh: 'Get the newest',
  refreshed: (at: number, now: number) => `Up to date, ${near(at, now)}`,
  seen: (at: number, now: number) => `As of ${near(at, now)}`,
  offline: (at: number, now: number) => `Offline, as of ${near(at, now)}. Everything still works.`,
  never: 'Not fetched yet',
  refreshed_whole: (newest: number, all: number, now: number) =>
    `Newest ${near(newest, now)}, all ${near(all, now)}`,
  missing: (done: number, total: number) =>
    `${f.number(done)} of ${f.number(total)} are on this laptop; the rest comes with the next connection.`,
  refresh_failed: 'Could not get the newest.',
  empty: 'No near misses yet',
  empty_text: 'The first one takes half a minute. It is saved on this laptop even with no network.',
  first_fetch: 'Getting the near misses of this project…',
  unfetched: 'Nothing on this laptop yet',
  unfetched_text:
    'What the server has comes with the next connection. What you report now is saved here.',
  none_found: 'Nothing fits',
  none_found_text: 'No near miss fits the search and the filters.',
  clear: 'Show all',
  loading: 'Reading from this laptop…',
  shown: (n: number) => count(n, { one: '# near miss shown', other: '# near misses shown' }),
  row: (title: string, facts: string, word: string) => `${title}. ${facts}. ${word}`,
  untitled: 'No description',
  photos,
  pick: 'Choose a near miss',
  pick_text: 'Its facts, photos and delivery receipt are shown here.',
};

export const detail = {
  back: 'All near misses',
  number: (full: string) => `Near miss ${full}`,
  no_number: 'Near miss, not numbered yet',
  edit: 'Edit',
  bin: 'Send to recycle bin',
  binned: 'Sent to the recycle bin.',
  restored: 'Taken out of the recycle bin.',
  restore: 'Restore',
  when: 'When',
  where: 'Where',
  severity: 'Could have been',
  incident: 'Incident',
  private_incident: 'Private',
  harm_source: 'Harm source',
  work_activity: 'Work activity',
  equipment: 'Equipment',
  affected_company: 'Affected company',
  affected_party: 'Affected party',
  affected_person: 'Affected person',
  reported_by: 'Reported by',
  yes: 'Yes',
  no: 'No',
  photos: 'Photos',
  no_photos: 'No photos.',
  open_photo: (name: string) => `Open ${name}`,
  photo_waiting: 'Waiting',
  photo_sending: (share: number) => `Sending ${f.percent(share)}`,
  photo_checked: 'Checked',
  photo_there: 'On the server',
  photo_needs_you: 'Needs you',
  take_off: 'Take off',
  take_off_of: (name: string) => `Take off ${name}`,
  take_off_title: 'Take this photo off?',
  take_off_text:
    'It is removed from this near miss, here and on the server. This cannot be undone once it is sent.',
  taken_off: 'Photo taken off.',
  taken_off_queued: 'Photo taken off. The server hears of it with the next connection.',
  gone: 'This near miss is not on this laptop',
  gone_text: 'It may be in the recycle bin, or belong to another project.',
  in_bin: 'This near miss is in the recycle bin.',
  pending_edit: 'Your changes are saved on this laptop and waiting to be sent.',
  needs_you: 'The server did not take this.',
  see_waiting: 'See Waiting',
  never_sent_title: 'Delete this near miss?',
  never_sent_text:
    'It was never sent, so there is no recycle bin to get it back from. It and its photos are removed from this laptop.',
  never_sent_go: 'Delete for good',
  receipt_label: 'Delivery receipt',
  receipt_all: (n: number, at: number, now: number, of = n) =>
    of === 0
      ? `record accepted by the server, ${near(at, now)}`
      : `record accepted, ${f.number(n)} of ${photos(of)} read back byte for byte, ${near(at, now)}`,
  receipt_part: (n: number, of: number) =>
    `record accepted by the server, ${f.number(n)} of ${photos(of)} read back byte for byte so far`,
  receipt_head: (n: number, of = n) => (n === 0 || n < of ? 'Delivered' : 'Delivered and checked'),
  receipt_record: 'Record delivered',
  receipt_waiting: 'Saved on this laptop',
  receipt_waiting_text: (n: number) =>
    n === 0 ? 'not sent yet' : `not sent yet, with ${photos(n)}`,
  receipt_elsewhere: 'On the server',
  receipt_elsewhere_text:
    'reported from another device, so there are no originals here to compare with',
  receipt_id: (id: number, number: string, at: number) =>
    number === ''
      ? `Id on the server: ${id}, since ${f.moment(at)}`
      : `Number ${number}, id on the server: ${id}, since ${f.moment(at)}`,
  receipt_size: (size: number, at: number | null) =>
    at === null ? `${f.number(size)} B` : `${f.number(size)} B · read back ${f.moment(at)}`,
  receipt_sha: (sha256: string) => `sha256 ${sha256}`,
  receipt_files: 'Files compared',
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
    no_view: 'This file cannot be shown here. It can be saved and opened with another program.',
    save: 'Save this file',
    position: (at: number, of: number) => `${f.number(at)} of ${f.number(of)}`,
  },
  full_unavailable: 'Full size needs a connection; this is the small version.',
};

export const bin = {
  title: 'Recycle bin',
  text: 'Near misses that were sent here. Restoring brings back the number, the fields and the photos.',
  offline:
    'Offline: this is the copy on this laptop. What you restore is sent with the next connection.',
  empty: 'The recycle bin is empty',
  empty_text: 'A near miss you send here can be restored at any time.',
  deleted: (at: number, now: number) => `Sent here ${near(at, now)}`,
  restore: 'Restore',
  going: 'On its way here',
  restored: 'Restored. It is sent with the next connection.',
  more: (n: number) => `Show ${f.number(n)} more`,
  search: 'Search the recycle bin',
  all: (n: number) => `All ${f.number(n)}`,
  none_found: 'Nothing in the bin fits',
  none_found_text: 'No near miss in the recycle bin fits the search and the filters.',
};
