/**
 * A file with two contradictory times sets none: an old GPS fix, a receiver with a week rollover, a video's clock without a
 * zone.
 */
import { describe, expect, it } from 'vitest';
import { metadataOf } from '../../../src/renderer/photos/exif.ts';
import { inspect } from '../../../src/renderer/photos/formats/inspect.ts';
import { readMetadata } from '../../../src/renderer/photos/metadata.ts';
import { timesOf } from '../../../src/renderer/near-miss-form/answers.ts';
import {
  exifOf,
  textField as text,
  wholeField as whole,
  type Field,
} from '../../support/exif-block.ts';
import { fromFixture } from '../../support/renderer-photos.ts';

const takenOf = async (name: string) => {
  const { taken_at } = await readMetadata(await inspect(await fromFixture(name)));
  if (taken_at === null) throw new Error('it tells no time');
  return taken_at;
};

it.each([
  ['time-gps-stale.jpg', '2026-11-22T03:40'],
  ['time-gps-rollover.jpg', '2007-04-11'],
])(
  'A44: %s: the camera’s clock and the GPS are both offered, and neither is certain',
  async (name, gps) => {
    const taken = await takenOf(name);
    expect(taken.at).toBeNull();
    expect(new Date(taken.other_at ?? NaN).toISOString().startsWith(gps)).toBe(true);
    expect(timesOf(taken)).toHaveLength(2);
  },
);

it('A44: a video’s clock without a zone is a wall clock that may be UTC', async () => {
  const taken = await takenOf('time-video-local.mp4');
  expect(taken).toMatchObject({ offset: null, at: null });
  expect(taken.other_at).toBe(Date.parse(`${taken.local}Z`));
});

describe('A44: what no clock and no map has is not believed', () => {
  const ORIGINAL = 0x9003;
  const CREATED = 0x9004;
  const read = (exif: readonly Field[], gps: readonly Field[] = []) =>
    metadataOf({ exif: exifOf(exif, gps), video: null });
  const place = (degrees: number): Field[] => [
    text(1, 'N'),
    whole(2, degrees, 0, 0),
    text(3, 'E'),
    whole(4, degrees, 0, 0),
  ];

  it('a DateTimeOriginal of zeros hides no good CreateDate', async () => {
    const { taken_at } = await read([
      text(ORIGINAL, '0000:00:00 00:00:00'),
      text(CREATED, '2026:03:04 05:06:07'),
    ]);
    expect(taken_at).toEqual({ local: '2026-03-04T05:06:07', offset: null, at: null });
  });

  it('30 February is no time, in EXIF, GPS and a video', async () => {
    expect(await read([text(ORIGINAL, '2026:02:30 05:06:07')])).toMatchObject({ taken_at: null });
    const gps = [whole(7, 5, 6, 7), text(0x1d, '2026:02:30')];
    expect(await read([text(ORIGINAL, '2026:03:02 05:06:07')], gps)).toMatchObject({
      taken_at: { at: null },
    });
    const taken = { local: '2026-02-30T05:06:07', offset: '+01:00' };
    expect(await metadataOf({ exif: null, video: { taken, gps: null } })).toMatchObject({
      taken_at: null,
    });
  });

  it('a zone that is none leaves the camera’s clock; GPS time a zone away makes it certain', async () => {
    const clock = text(ORIGINAL, '2026:03:04 05:06:07');
    expect((await read([clock, text(0x9011, '+99:99')])).taken_at).toEqual({
      local: '2026-03-04T05:06:07',
      offset: null,
      at: null,
    });
    const gps = [whole(7, 3, 36, 9), text(0x1d, '2026:03:04')];
    expect((await read([clock], gps)).taken_at).toMatchObject({
      at: Date.parse('2026-03-04T03:36:09Z'),
    });
  });

  it('0, 0 is no place: a camera without a fix writes it', async () => {
    expect(await read([], place(0))).toMatchObject({ gps: null });
    expect(await read([], place(7))).toMatchObject({ gps: { latitude: 7, longitude: 7 } });
  });
});
