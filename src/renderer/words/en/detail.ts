/** What this laptop did to a near miss, how it is printed, how its description is formatted. */
import { count, f } from './say.ts';

export const history = {
  title: 'On this laptop',
  note: 'What was done here, and when. Other people’s changes are not listed.',
  more: (n: number) => count(n, { one: 'Show # more step', other: 'Show # more steps' }),
  less: 'Show fewer',
  earlier: 'Steps before this were not kept on this laptop.',
  at: (at: number) => f.moment(at),
  change: (name: string, before: string, after: string) => `${name}: ${before} → ${after}`,
  nothing: 'empty',
  changed: 'Changed before it was sent',
  photo: (name: string) => `Photo ${name} added`,
  queued: {
    'near_miss.create': 'Saved on this laptop',
    'near_miss.delete': 'Sent to the recycle bin',
    'near_miss.restore': 'Taken out of the recycle bin',
    'photo.remove': 'A photo taken off',
    other: 'Changed, saved on this laptop',
  },
  dropped: {
    'near_miss.update': 'A change taken back before it was sent',
    'near_miss.delete': 'Kept out of the recycle bin after all',
    'near_miss.restore': 'Left in the recycle bin after all',
    'photo.send': 'A photo taken off before it was sent',
    other: 'Taken back before it was sent',
  },
  delivered: {
    'near_miss.create': 'Delivered to the server',
    'near_miss.update': 'Changes delivered to the server',
    'near_miss.delete': 'In the recycle bin on the server',
    'near_miss.restore': 'Out of the recycle bin on the server',
    'photo.remove': 'Photo taken off on the server',
    other: 'Delivered to the server',
  },
  photo_delivered: (name: string) => `Photo ${name} delivered`,
  rebuilt: 'Brought back from this laptop’s journal; what was done before was lost with its store',
};

export const printing = {
  print: 'Print',
  printed: (at: number) => `Printed ${f.moment(at)}`,
};

export const editor = {
  toolbar: 'Formatting',
  start: 'Format the description',
  save: 'Save description',
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
  failed: 'The editor could not be opened. The same words can be changed under Edit.',
};

const near_misses = (n: number): string => count(n, { one: '# near miss', other: '# near misses' });

/** Near misses taken along as a file. */
export const take_along = {
  menu: 'Export',
  csv: 'Table (CSV)',
  zip: 'With photos (zip)',
  csv_title: 'Saving the table',
  zip_title: 'Saving near misses with their photos',
  records: (done: number, of: number) => `${f.number(done)} of ${near_misses(of)}`,
  photos: (n: number) => count(n, { one: '# photo so far', other: '# photos so far' }),
  missing: (n: number) =>
    count(n, {
      one: '# photo could not be had: it is only on the server, which does not answer. It is named in the file.',
      other:
        '# photos could not be had: they are only on the server, which does not answer. They are named in the file.',
    }),
  cancel: 'Stop',
  stopped: 'Stopped. Nothing was saved.',
  saved: (n: number) => `Saved: ${near_misses(n)}.`,
  failed: 'The file could not be made. Nothing on this laptop was changed.',
  heads: {
    number: 'Number',
    incident: 'Incident',
    description: 'What happened',
    reported: 'Reported',
    reported_by: 'Reported by',
    harm_source: 'Harm source',
    work_activity: 'Work activity',
    equipment: 'Equipment',
    affected_company: 'Affected company',
    affected_party: 'Affected party',
    affected_person: 'Affected person',
    photos: 'Photos',
    id: 'Id on the server',
  },
  csv_name: 'near-misses',
  zip_name: 'near-misses-with-photos',
  figures_name: 'insights',
};
