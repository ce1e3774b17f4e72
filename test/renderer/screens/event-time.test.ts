/** The time in the form: set by a photo if certain, offered as two choices if not, flagged if in the future. */
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { emptyCatalog } from '../../../src/renderer/data/db/catalog.ts';
import { withExif } from '../../../src/renderer/photos/formats/jpeg.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { exifOf, textField, wholeField, type Field } from '../../support/exif-block.ts';
import { openApp } from '../../support/renderer-app.ts';
import { ScriptedHost } from '../../support/renderer-host.ts';
import { make } from '../../support/renderer-photos.ts';
import { slow } from '../../support/slow.ts';

const t = words.capture;
const HOUR = 3_600_000;
const when = { id: 4, label: 'When', data_type: 'datetime', options: [], required: false };

/** `2026-03-04T05:06:07` on a clock that is `minutes` ahead of UTC. */
const wall = (at: number, minutes: number): string =>
  new Date(at + minutes * 60_000).toISOString().slice(0, 19);
const exif = (clock: string): string => clock.replaceAll('-', ':').replace('T', ' ');
const zone = (minutes: number): string =>
  `${minutes < 0 ? '-' : '+'}${new Date(Math.abs(minutes) * 60_000).toISOString().slice(11, 16)}`;
const here = (at: number): number => -new Date(at).getTimezoneOffset();
const original = (clock: string): Field => textField(0x9003, exif(clock));

const openForm = async () => {
  const host = new ScriptedHost();
  const data = { ...emptyCatalog, custom_field_definitions: [when] };
  const reply = { status: 200, data, paging: null, etag: null, replayed: false, server_time: null };
  host.answers.set('catalog.show', () => reply);
  await openApp({ host });
  await page.getByRole('link', { name: 'New near miss' }).click();
  const box = page.getByRole('textbox', { name: /^When/ });
  await expect.element(box).toBeVisible();
  return box;
};

/** Opens the form and adds one photo. Returns the time box and its earlier value. */
const withPhoto = async (camera: readonly Field[], gps: readonly Field[] = []) => {
  const box = await openForm();
  const before = (box.element() as HTMLInputElement).value;
  const plain = await make({ format: 'jpeg', width: 64, height: 48 });
  const chosen = new DataTransfer();
  chosen.items.add(new File([withExif(plain, exifOf(camera, gps))], 'site.jpg'));
  const picker = document.querySelector<HTMLInputElement>('section.photos input[type=file]');
  if (picker === null) throw new Error('no picker');
  picker.files = chosen.files;
  picker.dispatchEvent(new Event('change', { bubbles: true }));
  return { box, before };
};

/** "When" says that its time is a photo's, and offers to undo it. */
const isFromPhoto = () =>
  expect
    .element(page.getByRole('button', { name: `${t.offer.undo}: ${t.offer.title}`, exact: true }))
    .toBeVisible();

slow(
  'A44: a camera that is on this computer’s clock sets the time, and its zone is not quoted',
  async () => {
    const at = Date.now() - 3 * HOUR;
    const minutes = here(at);
    const { box } = await withPhoto([
      original(wall(at, minutes)),
      textField(0x9011, zone(minutes)),
    ]);
    await expect.element(box).toHaveValue(words.format.moment(at));
    await isFromPhoto();
    await expect.element(box).not.toHaveAccessibleDescription();
  },
);

slow('A44: a camera in another zone sets the time, and its own clock is quoted', async () => {
  const at = Date.now() - 3 * HOUR;
  const minutes = here(at) > 0 ? here(at) - 180 : here(at) + 180;
  const clock = wall(at, minutes);
  const { box } = await withPhoto([original(clock), textField(0x9011, zone(minutes))]);
  await expect.element(box).toHaveValue(words.format.moment(at));
  await isFromPhoto();
  const quoted = t.offer.zone(clock.slice(11, 16), zone(minutes));
  await expect.element(box).toHaveAccessibleDescription(quoted);
});

slow('A44: an old GPS fix sets nothing: both times are offered, and a person chooses', async () => {
  const at = Date.now() - 3 * HOUR;
  const fix = new Date(at - 77 * HOUR - 7 * 60_000);
  const clock = wall(at, here(at));
  const { box, before } = await withPhoto(
    [original(clock)],
    [
      wholeField(7, fix.getUTCHours(), fix.getUTCMinutes(), fix.getUTCSeconds()),
      textField(0x1d, fix.toISOString().slice(0, 10).replaceAll('-', ':')),
    ],
  );
  const told = page.getByRole('region', { name: t.offer.title });
  await expect.element(told.getByText(t.offer.two_times)).toBeVisible();
  await expect.element(box).toHaveValue(before);
  await told
    .getByRole('button', { name: t.offer.time(clock.slice(0, 16)) })
    .first()
    .click();
  await expect.element(box).toHaveValue(t.offer.time(clock.slice(0, 16)));
});

it('a time in the future is pointed out, and a time before now is not', async () => {
  const box = await openForm();
  await box.fill(words.format.moment(Date.now() + 24 * HOUR));
  await expect.element(box).toHaveAccessibleDescription(t.ahead);
  await box.fill(words.format.moment(Date.now() - 24 * HOUR));
  await expect.element(box).not.toHaveAccessibleDescription(t.ahead);
});
