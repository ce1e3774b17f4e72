/** Captions, order, and before/after marks of photos. */
import { f } from './say.ts';

export const photo_notes = {
  caption: 'Caption',
  add: 'Add a caption',
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
  /** Written into the field's text, which other programs show. */
  written: { before: 'before', after: 'after' },
  /** The accessible name of a photo of a pair. */
  sided: (side: string, name: string) => `${side}: ${name}`,
  pair: 'Before and after',
  save: 'Save',
  saved: 'Captions and order saved.',
  too_long: 'These captions are too long together. Shorten some.',
  loose: 'Also noted with the photos',
};
