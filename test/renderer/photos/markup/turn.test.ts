/**
 * A rotated photo: the sent file is rotated, marks stay at their place on the picture, and four quarter turns change nothing.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  begun,
  boundsOf,
  isMarked,
  noEdits,
  readEdits,
  type Edits,
  type ShapeKind,
} from '../../../../src/renderer/photos/markup/model.ts';
import { takeIn } from '../../../../src/renderer/photos/intake.ts';
import { turned } from '../../../../src/renderer/photos/markup/turn.ts';
import { CaptureForm } from '../../../../src/renderer/screens/capture/form.svelte.ts';
import { ACCOUNT } from '../../../support/renderer-host.ts';
import { box, drawn, edits, pixelsOf, red } from '../../../support/renderer-markup.ts';
import { make } from '../../../support/renderer-photos.ts';
import { host, owner, windowPerTest, windows } from '../../../support/renderer-window.ts';
import { slow } from '../../../support/slow.ts';
import { SLOW } from '../../../support/slow.ts';

windowPerTest();

const times = (edited: Edits, presses: number): Edits =>
  presses === 0 ? edited : times(turned(edited), presses - 1);

/** 80 x 40: red, green above; blue, white below. */
const quarters = async (): Promise<Blob> => {
  const canvas = new OffscreenCanvas(80, 40);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('no canvas');
  for (const [at, colour] of ['#ff0000', '#00ff00', '#0000ff', '#ffffff'].entries()) {
    context.fillStyle = colour;
    context.fillRect((at % 2) * 40, at < 2 ? 0 : 20, 40, 20);
  }
  return canvas.convertToBlob({ type: 'image/png' });
};
/** r, g, b or w: the colour at a position in fractions. */
const seenAt = ({ data, width, height }: ImageData, x: number, y: number): string => {
  const at = (Math.floor(y * height) * width + Math.floor(x * width)) * 4;
  const [r, g, b] = [0, 1, 2].map((channel) => (data[at + channel] ?? 0) > 128);
  return r && g && b ? 'w' : r ? 'r' : g ? 'g' : b ? 'b' : '-';
};
const cornersOf = (picture: ImageData): string =>
  [
    [0.2, 0.2],
    [0.8, 0.2],
    [0.2, 0.8],
    [0.8, 0.8],
  ]
    .map(([x, y]) => seenAt(picture, x ?? 0, y ?? 0))
    .join('');

describe('turning', () => {
  it('any shapes stay readable and inside the picture; four quarters bring them back', () => {
    const kind = fc.constantFrom<ShapeKind>('arrow', 'ellipse', 'line', 'text', 'pin', 'blur');
    const place = fc.double({ min: 0, max: 1, noNaN: true });
    const point = fc.record({ x: place, y: place });
    fc.assert(
      fc.property(fc.array(fc.tuple(kind, point, point), { maxLength: 6 }), (given) => {
        const before = edits(
          ...given.map(([what, from, to], at) => begun(what, `${at}`, red, from, to)),
        );
        let now = before;
        for (let press = 0; press < 4; press += 1) {
          now = turned(now);
          expect(readEdits(now)).toEqual(now);
        }
        expect(now.turn).toBeUndefined();
        for (const [at, shape] of now.shapes.entries()) {
          const [is, was] = [boundsOf(shape), boundsOf(before.shapes[at] ?? shape)];
          for (const side of ['x', 'y', 'width', 'height'] as const)
            expect(is[side]).toBeCloseTo(was[side], 9);
        }
      }),
    );
  });

  it('a turn alone is sent, and none is not', () => {
    expect([0, 1, 2, 3, 4].map((presses) => isMarked(times(noEdits(null), presses)))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
  });

  it.each([
    [1, 40, 80, 'brwg'],
    [2, 80, 40, 'wbgr'],
    [3, 40, 80, 'gwrb'],
  ])('after %i presses the pixels are turned', SLOW, async (presses, width, height, corners) => {
    const picture = await pixelsOf(await drawn(await quarters(), times(noEdits(null), presses)));
    expect([picture.width, picture.height]).toEqual([width, height]);
    expect(cornersOf(picture)).toBe(corners);
  });

  slow(
    'a crop turns with the picture: the same part is left, also where it is made smaller',
    async () => {
      // The right half: green over white.
      const cropped = edits(box('crop', 0.5, 0, 0.5, 1));
      for (const max_side of [null, 20]) {
        const upright = await pixelsOf(await drawn(await quarters(), { ...cropped, max_side }));
        expect(cornersOf(upright)).toBe('ggww');
        const picture = await pixelsOf(
          await drawn(await quarters(), times({ ...cropped, max_side }, 1)),
        );
        expect(cornersOf(picture)).toBe('wgwg');
      }
    },
  );

  it('what is blurred stays blurred under each turn', async () => {
    const file = await make({ format: 'png', width: 400, height: 300, noise: true });
    const spread = ({ data, width }: ImageData, x: number, y: number): number => {
      let most = 0;
      for (let at = 0; at < 60; at += 1)
        most = Math.max(
          most,
          Math.abs(
            (data[(y * width + x + at) * 4] ?? 0) - (data[(y * width + x + at + 1) * 4] ?? 0),
          ),
        );
      return most;
    };
    // The upper left quarter becomes the upper right quarter after one press.
    const blurred = edits(box('blur', 0, 0, 0.5, 0.5));
    const picture = await pixelsOf(await drawn(file, turned(blurred)));
    expect([picture.width, picture.height]).toEqual([300, 400]);
    expect(spread(picture, 210, 80)).toBeLessThan(40);
    expect(spread(picture, 40, 300)).toBeGreaterThan(60);
  });
});

describe('a photo of the form', () => {
  const formOn = (window: Awaited<ReturnType<typeof windows.start>>) =>
    new CaptureForm(window, {
      scope: owner,
      incident_id: 1,
      draft: null,
      row: null,
      definitions: [],
      photo_settings: () => ({ photo_privacy: true, photo_size: 'original' }),
    });

  it('one press turns it and its small picture, the original stays; four presses bring it back', async () => {
    host.up = false;
    const window = await windows.start(host);
    const form = formOn(window);
    const file = new File([await quarters()], 'site.png', { type: 'image/png' });
    const [taken] = await takeIn(window, { account: ACCOUNT, draft_id: form.draft_id }, [file]);
    if (!taken?.ok) throw new Error('refused');
    let photo = taken.kept;
    for (const corners of ['brwg', 'wbgr', 'gwrb']) {
      const made = await form.turn(photo);
      if (!made.ok) throw new Error(JSON.stringify(made));
      photo = made.value;
      expect(photo.original?.sha256).toBe(taken.kept.sha256);
      if (photo.thumbnail === null) throw new Error('no small picture');
      expect(cornersOf(await pixelsOf(photo.thumbnail))).toBe(corners);
    }
    const back = await form.turn(photo);
    if (!back.ok) throw new Error(JSON.stringify(back));
    expect(back.value).toMatchObject({
      photo_id: taken.kept.photo_id,
      sha256: taken.kept.sha256,
      filename: 'site.png',
    });
    expect(back.value.edits).toBeUndefined();
  });

  it('marks that this version cannot read are left as they are', async () => {
    host.up = false;
    const window = await windows.start(host);
    const form = formOn(window);
    const file = new File([await quarters()], 'site.png', { type: 'image/png' });
    const [taken] = await takeIn(window, { account: ACCOUNT, draft_id: form.draft_id }, [file]);
    if (!taken?.ok) throw new Error('refused');
    const newer = { ...taken.kept, edits: { version: 9 } as unknown as Edits };
    expect(await form.turn(newer)).toEqual({ ok: true, value: newer });
  });
});
