/** A near miss's history, its export and its printing, and the text editor. */
import { count, f } from './say.ts';

export const history = {
  title: 'On this laptop',
  note: 'Changes made on this laptop.',
  more: (n: number) => count(n, { one: 'Show # more step', other: 'Show # more steps' }),
  less: 'Show fewer',
  earlier: 'Earlier steps are not kept on this laptop.',
  at: (at: number) => f.moment(at),
  change: (name: string, before: string, after: string) => `${name}: ${before} → ${after}`,
  nothing: 'empty',
  changed: 'Edited before it was sent',
  queued: {
    'near_miss.create': 'Saved on this laptop',
    'near_miss.update': 'Edited',
    'near_miss.delete': 'Moved to the recycle bin',
    'near_miss.restore': 'Restored from the recycle bin',
    'photo.send': (name: string) => `Photo ${name} added`,
    'photo.remove': 'Photo removed',
    other: 'Edited',
  },
  dropped: {
    'near_miss.create': 'Cancelled before it was sent',
    'near_miss.update': 'Edit cancelled before it was sent',
    'near_miss.delete': 'Deletion cancelled',
    'near_miss.restore': 'Restore cancelled',
    'photo.send': 'Photo removed before it was sent',
    'photo.remove': 'Photo removal cancelled',
    other: 'Cancelled before it was sent',
  },
  delivered: {
    'near_miss.create': 'Delivered to the server',
    'near_miss.update': 'Changes delivered to the server',
    'near_miss.delete': 'In the recycle bin on the server',
    'near_miss.restore': 'Restored on the server',
    'photo.send': (name: string) => `Photo ${name} delivered`,
    'photo.remove': 'Photo removed on the server',
    other: 'Delivered to the server',
  },
  photos_added: (n: number) => count(n, { one: '# photo added', other: '# photos added' }),
  photos_delivered: (n: number) =>
    count(n, { one: '# photo delivered', other: '# photos delivered' }),
  all: 'History',
  as_of: (at: number) => `As of ${f.moment(at)}`,
  by: {
    created: (who: string) => `Reported by ${who}`,
    updated: (who: string) => `Edited by ${who}`,
    recycled: (who: string) => `Moved to the recycle bin by ${who}`,
    restored: (who: string) => `Restored from the recycle bin by ${who}`,
    redacted: (who: string) => `An entry was redacted by ${who}`,
  },
  content_redacted: 'What changed was redacted',
  photo_added: (name: string) => `Photo ${name} added`,
  photo_removed: (name: string) => `Photo ${name} removed`,
  rebuilt: 'Restored from the backup on this laptop. The earlier steps were lost',
};

export const printing = {
  print: 'Print',
  printed: (at: number) => `Printed ${f.moment(at)}`,
};

export const editor = {
  toolbar: 'Formatting',
  start: 'Format the text',
  bold: 'Bold',
  italic: 'Italic',
  underline: 'Underline',
  strike: 'Strike through',
  bullets: 'List',
  numbers: 'Numbered list',
  heading: 'Heading',
  quote: 'Quote',
  undo: 'Undo',
  redo: 'Redo',
  link: 'Link',
  link_address: 'Address of the link',
  link_set: 'Set link',
  link_remove: 'Remove link',
  link_bad: 'A link begins with https://, http://, mailto: or tel:.',
  loading: 'Opening the editor…',
  failed: 'The editor could not be opened. Your text is safe. Cancel, then try again.',
};

const near_misses = (n: number): string => count(n, { one: '# near miss', other: '# near misses' });

export const take_along = {
  menu: 'Export',
  xlsx: 'Excel (.xlsx)',
  xlsx_last_month: 'Last month to Excel',
  none_last_month: 'No near miss was reported last month.',
  csv: 'Table (CSV)',
  zip: 'With photos (zip)',
  csv_title: 'Saving the table',
  zip_title: 'Saving near misses with their photos',
  records: (done: number, of: number) => `${f.number(done)} of ${near_misses(of)}`,
  photos: (n: number) => count(n, { one: '# photo so far', other: '# photos so far' }),
  missing: (n: number) =>
    count(n, {
      one: '# photo is missing because the server did not answer. The file lists it.',
      other: '# photos are missing because the server did not answer. The file lists them.',
    }),
  cancel: 'Stop',
  stopped: 'Stopped. Nothing was saved.',
  saved: (n: number, file: string) => `${near_misses(n)} saved as ${file} in your downloads.`,
  failed: 'The file could not be saved. Nothing on this laptop was changed.',
  heads: {
    number: 'Number',
    incident: 'Job or area',
    reported: 'Reported',
    reported_by: 'Reported by',
    photos: 'Photos',
    id: 'Server reference',
  },
  csv_name: 'near-misses',
  zip_name: 'near-misses-with-photos',
  figures_name: 'insights',
};
