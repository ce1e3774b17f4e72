/** The copy of what is kept about a person, as an admin makes it (decisions §22). */
import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { BlobReader, TextWriter, ZipReader } from '@zip.js/zip.js/lib/zip-core-external.js';
import type { PersonCopy } from '../../../src/contract/rest/retention/person-copies.ts';
import { words } from '../../../src/renderer/words/company-words.ts';
import { openApp } from '../../support/renderer-app.ts';
import { reply } from '../../support/renderer-company.ts';
import { look } from '../../support/renderer-looks.ts';
import { asServer, reported, siteHost } from '../../support/renderer-site.ts';

const t = words.person_copy;
const at = '/company-data/erasure';
const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog', { name: t.title });

const photo = { near_miss_id: 1, project_id: 10, number: '3-12', size: 3, sha256: 'a'.repeat(64) };
const copy: PersonCopy = {
  made_at: '2026-05-04T09:00:00.000Z',
  names: ['Ana Ruiz'],
  records: [
    {
      resource: 'near_misses',
      relation: 'created_by',
      resource_id: 1,
      number: '3-12',
      project_id: 10,
      at: '2026-05-03T09:00:00.000Z',
      values: { description_plain_text: 'Load <img src=x onerror=alert(1)> swung at [name]' },
    },
  ],
  mentions: [
    {
      kind: 'report',
      resource: 'near_misses',
      resource_id: 2,
      project_id: 10,
      number: '4-1',
      field: 'custom_field_7',
      label: 'Who saw it',
      match: 'whole',
      text: 'Ana Ruiz',
    },
  ],
  photos: [
    { ...photo, attachment_id: 5, own: true, content_type: 'image/jpeg' },
    { ...photo, attachment_id: 6, own: false, content_type: 'image/jpeg' },
  ],
  hidden: 3,
  parts_left_out: 2,
};

const hostOf = (answer: PersonCopy = copy) => {
  const host = asServer(siteHost([reported('Hoist hook bent')]));
  host.session = { ...host.session, level: 'admin' };
  host.pictures.set(5, new File(['abc'], 'ana_ruiz.jpg', { type: 'image/jpeg' }));
  const asked: unknown[] = [];
  host.answers.set('erasures.list', () => reply([]));
  host.answers.set('person_copies.create', (input) => {
    asked.push((input['input'] as { body: { person_copy: unknown } }).body.person_copy);
    return reply(answer);
  });
  return { host, asked };
};

/** The zip that the window saves, by the names of its files. */
const savedZip = () => {
  const blobs: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    blobs.push(blob as Blob);
    return 'blob:none';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  return async (): Promise<ReadonlyMap<string, string>> => {
    await expect.poll(() => blobs.length).toBe(1);
    const reader = new ZipReader(new BlobReader(blobs[0] ?? new Blob()));
    const files = new Map<string, string>();
    for (const entry of await reader.getEntries())
      if (!entry.directory) files.set(entry.filename, await entry.getData(new TextWriter()));
    await reader.close();
    return files;
  };
};

it('decisions §22: an admin saves one file with a page, the data and the photos of own reports', async () => {
  const { host, asked } = hostOf();
  const zip = savedZip();
  await openApp({ host, at });
  await page.getByLabelText(words.erasure.name, { exact: true }).fill('Ana Ruiz');
  await button(t.open).click();
  await expect.element(dialog()).toBeVisible();
  await look('a copy of a person’s data');
  await page.getByRole('checkbox', { name: t.with_photos }).click();
  await button(t.make).click();
  const files = await zip();
  expect([...files.keys()]).toEqual(['photos/3-12-5.jpg', 'index.html', 'data.json']);
  expect(files.get('photos/3-12-5.jpg')).toBe('abc');
  expect(JSON.parse(files.get('data.json') ?? '')).toEqual(copy);
  const html = new DOMParser().parseFromString(files.get('index.html') ?? '', 'text/html');
  expect(html.querySelectorAll('img, script')).toHaveLength(0);
  const text = html.body.textContent;
  for (const part of [
    t.page('Ana Ruiz'),
    'Load <img src=x onerror=alert(1)> swung at [name]',
    'Who saw it',
    'photos/3-12-5.jpg',
    t.not_inside,
    t.hidden(3),
    t.parts_left_out(2),
    ...t.notes,
  ])
    expect(text).toContain(part);
  expect(asked).toEqual([{ name: 'Ana Ruiz', also_called: [], with_parts: false }]);
  await expect.element(dialog()).not.toBeInTheDocument();
});

it('decisions §22: it asks for parts of the name when they are wanted; an empty copy says so and saves nothing', async () => {
  const none = { ...copy, records: [], mentions: [], photos: [], hidden: 0, parts_left_out: 0 };
  const { host, asked } = hostOf(none);
  await openApp({ host, at });
  await button(t.open).click();
  await expect.element(page.getByText(words.erasure.name_bad)).toBeVisible();
  await page.getByLabelText(words.erasure.name, { exact: true }).fill('Ana Ruiz');
  await button(t.open).click();
  const parts = page.getByRole('checkbox', { name: t.with_parts });
  await expect.element(parts).toBeVisible();
  (parts.element() as HTMLElement).focus();
  await userEvent.keyboard(' ');
  await button(t.make).click();
  await expect.element(page.getByText(t.nothing)).toBeVisible();
  expect(asked).toEqual([{ name: 'Ana Ruiz', also_called: [], with_parts: true }]);
});

it('decisions §22: it can be stopped while the server collects; nothing is saved then', async () => {
  const { host } = hostOf();
  const held = Promise.withResolvers<void>();
  host.holds.push({
    on: ({ endpoint }) => endpoint === 'person_copies.create',
    until: held.promise,
  });
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click');
  await openApp({ host, at });
  await page.getByLabelText(words.erasure.name, { exact: true }).fill('Ana Ruiz');
  await button(t.open).click();
  await button(t.make).click();
  await expect.element(dialog().getByText(t.making)).toBeVisible();
  await dialog().getByRole('button', { name: words.app.cancel }).click();
  await expect.element(page.getByText(t.stopped)).toBeVisible();
  held.resolve();
  await expect.element(button(t.make)).toBeVisible();
  expect(click).not.toHaveBeenCalled();
});
