/** Photo captions stored as text: they read back as written for any names and words, and a person can read them too. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CustomFieldDefinition } from '../../../src/contract/rest/catalog.ts';
import {
  captionsField,
  looseLines,
  movedTo,
  noNote,
  pairsOf,
  readNotes,
  tidyCaption,
  withNote,
  writeNotes,
  type NamedPhoto,
  type PhotoNote,
  type Said,
} from '../../../src/renderer/data/model/photo-notes.ts';

const words = { before: 'before', after: 'after' };
const photos = (...names: readonly string[]): readonly NamedPhoto[] =>
  names.map((filename, at) => ({ id: `p${at}`, filename }));
const site = photos('site-1.jpg', 'site-2.jpg', 'site-3.jpg');
const order = (said: Said): string => said.map(({ id }) => id).join(' ');
const captionOf = (said: Said, id: string): string | undefined =>
  said.find((one) => one.id === id)?.note.caption;

describe('decisions §4.8: what is said of photos', () => {
  it('a caption alone names every photo, in order; all taken back there is no text', () => {
    const said = withNote(readNotes('', site), 'p2', { caption: 'Missing toe board' });
    const text = writeNotes('', site, said, words);
    expect(text).toBe('site-1.jpg\nsite-2.jpg\nsite-3.jpg: Missing toe board');
    expect(readNotes(text, site)).toEqual(said);
    expect(writeNotes(text, site, withNote(said, 'p2', { caption: '' }), words)).toBe('');
  });

  it('any names, captions, sides and order are read back as they were written, in every language', () => {
    const name = fc.oneof(
      fc.constantFrom(
        'image.jpg',
        'image.jpg #2',
        'a: b.jpg',
        'x (before)',
        'x (after).jpg',
        'x.png',
        'x.png.jpg',
        '',
        '  ',
        'ñ\u0301.jpg',
        '2: 3',
        'line\nbreak.jpg',
        '‮gpj.exe',
      ),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
    );
    const caption = fc.oneof(
      fc.constantFrom('', 'image.jpg: no', '(before) gone', ': :', 'a\nb', '#2'),
      fc.string({ unit: 'grapheme', maxLength: 30 }),
    );
    const one = fc.record({
      name,
      caption: caption.map(tidyCaption),
      side: fc.constantFrom<PhotoNote['side']>('before', 'after', null),
      rank: fc.integer(),
    });
    const spanish = { before: 'antes', after: 'después' };
    const polish = { before: 'przed', after: 'po' };
    fc.assert(
      fc.property(
        fc.array(one, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(words, spanish, polish),
        (given, spoken) => {
          const named = photos(...given.map((each) => each.name));
          const said = given
            .map(({ caption: text, side, rank }, at) => ({
              id: `p${at}`,
              note: { caption: text, side },
              rank,
            }))
            .sort((a, b) => a.rank - b.rank)
            .map(({ id, note }) => ({ id, note }));
          const text = writeNotes('', named, said, spoken);
          expect(readNotes(text, named)).toEqual(said);
          // Writing again changes nothing; in any case there is at most one line per photo.
          expect(writeNotes(text, named, said, spoken)).toBe(text);
          expect(looseLines(text, named)).toEqual([]);
          expect(text.split('\n').length).toBeLessThanOrEqual(given.length);
        },
      ),
    );
  });

  it('lines of a person, of photos that are gone or not here yet stay where they are', () => {
    const text = [
      'Photos by Tom',
      'site-3.jpg: Missing toe board',
      'gone.jpg: Loose board',
      'site-1.jpg (After): Fixed',
      'site-3.jpg: said twice',
      'Site 2 looks odd: ask Ana',
    ].join('\r\n');
    const said = readNotes(text, site);
    expect(order(said)).toBe('p2 p0 p1');
    expect(captionOf(said, 'p2')).toBe('Missing toe board');
    expect(said[1]?.note).toEqual({ caption: 'Fixed', side: 'after' });
    const next = writeNotes(text, site, withNote(said, 'p0', { caption: 'Mended' }), words);
    expect(next.split('\n')).toEqual([
      'Photos by Tom',
      'site-3.jpg: Missing toe board',
      'gone.jpg: Loose board',
      'site-1.jpg (after): Mended',
      'site-3.jpg: said twice',
      'Site 2 looks odd: ask Ana',
      'site-2.jpg',
    ]);
    expect(looseLines(next, site)).toEqual([
      'Photos by Tom',
      'gone.jpg: Loose board',
      'site-3.jpg: said twice',
      'Site 2 looks odd: ask Ana',
    ]);
    // A name alone is no caption.
    expect(looseLines('gone.jpg\nImg 7.heic #2 (after)\nTom', site)).toEqual(['Tom']);
    // After removal, only foreign text is left.
    const silent = writeNotes(
      next,
      site,
      site.map(({ id }) => ({ id, note: noNote })),
      words,
    );
    expect(silent.split('\n')).toEqual(looseLines(next, site));
  });

  it('the order alone is written and read; moved at an end it stays; back as added there is no text', () => {
    const said = readNotes('', site);
    const moved = movedTo(said, 'p2', 0);
    const text = writeNotes('', site, moved, words);
    expect(text).toBe('site-3.jpg\nsite-1.jpg\nsite-2.jpg');
    expect(order(readNotes(text, site))).toBe('p2 p0 p1');
    expect(movedTo(moved, 'p2', -1)).toBe(moved);
    expect(movedTo(moved, 'p1', 3)).toBe(moved);
    expect(writeNotes(text, site, movedTo(moved, 'p2', 2), words)).toBe('');
    // A photo that was added later comes last.
    expect(
      order(readNotes(text, photos('site-1.jpg', 'site-2.jpg', 'site-3.jpg', 'new.jpg'))),
    ).toBe('p2 p0 p1 p3');
  });

  it('of photos of one name each has its own; taken off, the others keep theirs', () => {
    const twice = photos('image.jpg', 'image.jpg', 'IMG.heic.jpg');
    let said = readNotes('', twice);
    for (const [id, caption] of [
      ['p0', 'First'],
      ['p1', 'Second'],
      ['p2', 'Third'],
    ] as const)
      said = withNote(said, id, { caption });
    const text = writeNotes('', twice, said, words);
    expect(text).toBe('image.jpg: First\nimage.jpg #2: Second\nIMG.heic: Third');
    const left = writeNotes(
      text,
      twice,
      said.filter(({ id }) => id !== 'p0'),
      words,
    );
    expect(left).toBe('image.jpg: Second\nIMG.heic: Third');
    // With or without markup it is the same photo.
    expect(captionOf(readNotes(left, photos('image.jpg', 'IMG.heic')), 'p1')).toBe('Third');
  });

  it('pairs are told by their places: first with first, one without its other stands alone', () => {
    const views = (['before', null, 'before', 'after'] as const).map((side, at) => ({
      id: `p${at}`,
      note: { caption: '', side },
    }));
    expect(pairsOf(views).map(({ before, after }) => [before.id, after.id])).toEqual([
      ['p0', 'p3'],
    ]);
  });

  it('the field is told by its name in both languages; another type, and one that is required, is not it', () => {
    const field = (label: string, more: Partial<CustomFieldDefinition> = {}) =>
      ({
        id: 1,
        label,
        data_type: 'text',
        options: [],
        required: false,
        ...more,
      }) as CustomFieldDefinition;
    for (const label of ['Photo captions', 'PHOTO-CAPTIONS', 'Pies de foto', 'Notas de las fotos'])
      expect(captionsField([field('Weather'), field(label)])?.label).toBe(label);
    expect(captionsField([field('Photo captions', { data_type: 'string' })])).toBeUndefined();
    expect(captionsField([field('Photo captions', { required: true })])).toBeUndefined();
  });
});
