/** The export of near misses, while it runs and in its files. */
import { count, f } from './say.ts';

const near_misses = (n: number): string => count(n, { one: '# near miss', other: '# near misses' });

export const exporting = {
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
