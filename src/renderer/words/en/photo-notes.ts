/** What is said of photos: captions, their order, before and after. */
import { f } from './say.ts';

export const photo_notes = {
  caption: 'Caption',
  caption_of: (name: string) => `Caption of ${name}`,
  earlier: (name: string) => `Move ${name} earlier`,
  later: (name: string) => `Move ${name} later`,
  moved: (name: string, at: number, of: number) =>
    `${name} is now photo ${f.number(at)} of ${f.number(of)}`,
  open: 'Captions and order',
  title: 'Captions and order',
  text: 'Mark one photo as before and one as after to show them side by side.',
  side: (name: string) => `Before or after: ${name}`,
  neither: 'Neither',
  sides: { before: 'Before', after: 'After' },
  /** In the text that other programs show. */
  written: { before: 'before', after: 'after' },
  /** Name of a photo of a pair, for those who listen. */
  sided: (side: string, name: string) => `${side}: ${name}`,
  pair: 'Before and after',
  save: 'Save',
  saved: 'Captions and order saved.',
  too_long: 'These captions are too long together. Shorten some.',
  loose: 'Also noted with the photos',
};
