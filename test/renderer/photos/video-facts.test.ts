/** Time and place of a video come from the boxes and keys that are made for them, never from other texts. */
import { describe, expect, it } from 'vitest';
import { inspect } from '../../../src/renderer/photos/formats/inspect.ts';
import {
  be16,
  be32,
  box,
  bytesOf,
  fullBox,
  grown,
  join,
  joined,
  leaving,
  text,
} from '../../support/photo-parts.ts';
import { fromFixture } from '../../support/renderer-photos.ts';

type Bytes = Uint8Array<ArrayBuffer>;
const one = be32(1);
const field = (type: string, value: string): Bytes =>
  box(type, be16(value.length), be16(0), text(value));
const keyed = (pairs: Readonly<Record<string, string>>): Bytes =>
  box(
    'meta',
    fullBox('hdlr', 0, be32(0), text('mdta'), new Uint8Array(13)),
    fullBox(
      'keys',
      0,
      be32(Object.keys(pairs).length),
      ...Object.keys(pairs).map((name) => box('mdta', text(name))),
    ),
    box(
      'ilst',
      ...Object.values(pairs).map((value, index) => {
        const data = box('data', one, be32(0), text(value));
        return joined(be32(8 + data.length), be32(index + 1), data);
      }),
    ),
  );

describe('videos: time and place', () => {
  const day = '2026-11-25T09:15:00+0100';
  const place = '+52.5200+013.4050/';
  const expected = {
    taken: { local: '2026-11-25T09:15:00', offset: '+01:00' },
    gps: { latitude: 52.52, longitude: 13.405 },
  };
  const program = 'firmware built 2019-01-01T00:00:00+0000';
  const remark = 'lens +1.5+2.25/ mm';

  it.each([
    ['user data', box('udta', field('\xa9day', day), field('\xa9xyz', place))],
    [
      'user data after a program and a remark',
      box(
        'udta',
        field('\xa9swr', program),
        field('\xa9cmt', remark),
        field('\xa9day', day),
        field('\xa9xyz', place),
      ),
    ],
    [
      'keys after a program and a remark',
      keyed({
        'com.apple.quicktime.software': program,
        'com.apple.quicktime.comment': remark,
        'com.apple.quicktime.creationdate': day,
        'com.apple.quicktime.location.ISO6709': place,
      }),
    ],
  ])('are those of %s', async (_name, extra) => {
    const plain = await bytesOf(await fromFixture('clip.mov'));
    const file = join(grown(plain, ['moov'], extra));
    expect(await inspect(file)).toMatchObject({ video: expected });
    expect(await leaving(file)).not.toMatch(/52\.52|firmware|lens/);
  });

  it('are not in other texts, and a damaged description says nothing', async () => {
    const plain = await bytesOf(await fromFixture('clip.mov'));
    const clock = { taken: { local: '2026-03-04T05:06:07', offset: null }, gps: null };
    for (const extra of [
      box('udta', field('\xa9swr', program), field('\xa9cmt', remark)),
      box('udta', field('\xa9swr', day), field('\xa9cmt', place)),
      box('udta', be32(99), text('\xa9day')),
    ])
      expect(await inspect(join(grown(plain, ['moov'], extra)))).toMatchObject({ video: clock });
  });
});
