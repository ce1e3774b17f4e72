/** Time and material: entries, and the files that belong to them. */
import { bytes, count, f } from './say.ts';

const files = (n: number): string => count(n, { one: '# file', other: '# files' });

export const tm = {
  title: 'Time & material',
  entries: 'Entries',
  files_of: 'Files',
  all: 'All files of the project',
  find: 'Find an entry or type its number',
  none_found: 'No entry is called that.',
  open_number: (id: number) => `Open entry ${id}`,
  number_only: 'This server offers no list of entries: type the number of one.',
  entry: (id: number) => `Entry ${id}`,
  number: (id: number) => `Entry number ${id}`,
  files,
  files_waiting: (n: number, waiting: number) =>
    waiting === 0 ? files(n) : `${files(n)}, ${f.number(waiting)} waiting`,
  no_files_yet: 'No files',
  back: 'All entries',
  pick: 'Choose an entry',
  pick_text: 'Its photos and files are shown here, and you can attach more, with no network too.',
  attach: 'Attach files',
  drop: 'Drop files here to attach them',
  from_project: 'From the project',
  documents_title: 'Attach documents of the project',
  documents_text: 'A folder attaches every document that is in it when it is sent.',
  documents: 'Documents',
  folders: 'Folders',
  no_documents: 'This project offers no documents.',
  attach_chosen: (n: number) =>
    n === 0 ? 'Attach' : count(n, { one: 'Attach # item', other: 'Attach # items' }),
  adding: (name: string) => `Adding ${name}`,
  attached: (n: number) =>
    count(n, {
      one: 'Attached. # file is safe on this laptop.',
      other: 'Attached. # files are safe on this laptop.',
    }),
  documents_attached: 'Attached. It is sent with the next connection.',
  refused: (name: string, why: string) => `${name} was not attached. ${why}`,
  duplicate: (name: string) => `${name} is attached to this entry already.`,
  personal: (name: string) =>
    `${name} was not attached: what it says of people and places cannot be taken out of it safely.`,
  as_it_is: 'Attach it as it is',
  empty: 'No files on this entry yet',
  empty_text: 'Photos, delivery notes, drawings: any file, also with no network.',
  empty_all: 'No files on any entry yet',
  offline:
    'You can attach and delete files: it is sent with the next connection. Files that are on the server only open then.',
  offline_nothing:
    'What is on the server comes with the next connection. You can attach files now; they are sent then.',
  who_may_see: 'Whoever runs the project gives access to its time and material. Ask them.',
  delete_refused: (n: number) =>
    count(n, {
      one: 'Deleting # file was refused: it is still there',
      other: 'Deleting # files was refused: they are still there',
    }),
  delete_aside: (n: number) =>
    count(n, {
      one: 'Deleting # file is set aside: it is still there',
      other: 'Deleting # files is set aside: they are still there',
    }),
  of_entry: (name: string) => `on ${name}`,
  of_unknown: 'entry not told by the server',
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
  delete_text:
    'They are deleted from the entry, here and on the server. This cannot be undone once it is sent.',
  deleted: 'Deleted.',
  deleted_queued: 'Deleted. The server hears of it with the next connection.',
  busy: 'These documents are just being attached. Delete them once they are there.',
  not_here: 'This file is on the server only. It needs a connection.',
  checked: 'Checked',
  on_server: 'On the server',
  receipt: (size: number) => `read back equal, ${bytes(size)}`,
  waiting_title: (name: string) => `Files for ${name}`,
  waiting_unknown: 'Files of time & material entries',
  waiting_line: (n: number, size: number) => (size > 0 ? `${files(n)}, ${bytes(size)}` : files(n)),
  waiting_step: (name: string) => `File · ${name}`,
};
