/** Time-and-material entries and their files. */
import { bytes, count, f } from './say.ts';
import { places } from './places.ts';

const files = (n: number): string => count(n, { one: '# file', other: '# files' });

export const tm = {
  title: places.tm,
  entries: 'Entries',
  files_of: 'Files',
  all: 'All files',
  find: 'Find an entry by name or number',
  none_found: 'No matches.',
  open_number: (id: number) => `Open entry ${id}`,
  number_only: 'This server has no list of entries. Enter an entry number.',
  entry: (id: number) => `Entry ${id}`,
  number: (id: number) => `Entry number ${id}`,
  files,
  files_waiting: (n: number, waiting: number) =>
    waiting === 0 ? files(n) : `${files(n)}, ${f.number(waiting)} waiting`,
  no_files_yet: 'No files',
  unfetched: 'Not downloaded yet',
  back: 'All entries',
  pick: 'Choose an entry',
  pick_text: 'Its photos and files are shown here. You can attach more, with or without a network.',
  attach: 'Attach files',
  drop: 'Drop files here to attach them',
  from_project: 'Attach project documents',
  documents_title: 'Attach project documents',
  documents_text: 'Choosing a folder attaches every document in it.',
  documents: 'Documents',
  folders: 'Folders',
  no_documents: 'This project has no documents.',
  attach_chosen: (n: number) =>
    n === 0 ? 'Attach' : count(n, { one: 'Attach # item', other: 'Attach # items' }),
  adding: (name: string) => `Adding ${name}`,
  attached: (n: number) =>
    count(n, {
      one: '# file attached.',
      other: '# files attached.',
    }),
  documents_attached: 'Attached.',
  duplicate: (name: string) => `${name} is already attached to this entry.`,
  empty: 'No files on this entry yet',
  empty_text: 'Photos, delivery checkpointOf, drawings: any file, with or without a network.',
  empty_all: 'No entry has files yet',
  offline:
    'You can attach and delete files. Changes will be sent when you’re online. You can then open files that are only on the server.',
  offline_nothing:
    'The files on the server will download when you’re online. You can attach files now.',
  who_may_see: 'Ask your project admin for access to time and materials.',
  delete_refused: (n: number) =>
    count(n, {
      one: '# file could not be deleted',
      other: '# files could not be deleted',
    }),
  delete_aside: (n: number) =>
    count(n, {
      one: 'Deleting # file is on hold',
      other: 'Deleting # files is on hold',
    }),
  of_entry: (name: string) => `on ${name}`,
  of_unknown: 'entry unknown',
  size: (n: number) => bytes(n),
  select: (name: string) => `Select ${name}`,
  select_all: 'Select all',
  selected: (n: number) => count(n, { one: '# selected', other: '# selected' }),
  open: (name: string) => `Open ${name}`,
  download: (name: string) => `Download ${name}`,
  remove: (name: string) => `Delete ${name}`,
  delete: 'Delete',
  delete_many: (n: number) => count(n, { one: 'Delete # file', other: 'Delete # files' }),
  delete_title: (n: number) =>
    count(n, { one: 'Delete this file?', other: 'Delete these # files?' }),
  delete_text: 'Deleted here and on the server. You cannot undo this once it is sent.',
  delete_local: 'You cannot undo this.',
  deleted: 'Deleted.',
  busy: 'These documents are still being attached. You can delete them after that.',
  not_here: 'This file is only on the server. You need a connection to open it.',
  checked: 'Delivered',
  on_server: 'On the server',
  receipt: (size: number) => `checked, ${bytes(size)}`,
  waiting_title: (name: string) => `Files for ${name}`,
  waiting_unknown: 'Files of time and materials entries',
  waiting_line: (n: number, size: number) => (size > 0 ? `${files(n)}, ${bytes(size)}` : files(n)),
  waiting_step: (name: string) => `File · ${name}`,
};
