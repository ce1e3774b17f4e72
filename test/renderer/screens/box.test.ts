/** The report box in the window: switch and posters, a report filed by two presses, discarded with a reason, what its code answers. */
import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { BoxOutcome, BoxReport, BoxView } from '../../../src/contract/phone/box.ts';
import { SOMEBODY_ELSE, UNNAMED } from '../../../src/contract/text/who-saw.ts';
import { createDb } from '../../../src/renderer/data/db/db.ts';
import { words } from '../../../src/renderer/words/company-words.ts';
import { posterWords } from '../../../src/renderer/words/box-poster.ts';
import { openApp } from '../../support/renderer-app.ts';
import { Bytes, type ScriptedHost } from '../../support/renderer-host.ts';
import { judge, look } from '../../support/renderer-looks.ts';
import { make } from '../../support/renderer-photos.ts';
import {
  asServer,
  customFields,
  pressMore,
  reported,
  siteCatalog,
  siteHost,
} from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const t = words.box;
const ID = '01JDTEST0000000000000000A1';
const report = (change: Partial<BoxReport> = {}): BoxReport => ({
  id: ID,
  code: 'KBRTWX',
  received_at: Date.now() - 3_600_000,
  text: 'A board is loose <b>at gate 2</b>\nsecond line',
  name: '',
  language: 'pl',
  photos: [],
  state: 'waiting',
  reason: '',
  closed_at: null,
  number: '',
  answer: '',
  ...change,
});
const URL_ON_POSTER = `http://10.42.0.1:40404/#${'a'.repeat(64)}`;
const string = (id: number, label: string) => ({
  id,
  label,
  data_type: 'string' as const,
  options: [],
  required: false,
});

/** A host with a box; `told` records what the window tells about filed reports. */
const boxed = (reports: BoxReport[], view: Partial<BoxView> = {}, photos: readonly File[] = []) => {
  // The last report preselects the job.
  const host = asServer(siteHost([reported('Hook swung', 3)]));
  host.service.catalog = {
    ...siteCatalog,
    custom_field_definitions: [
      ...siteCatalog.custom_field_definitions,
      string(91, 'Seen'),
      string(92, 'What we did'),
      string(95, 'Who saw it'),
      string(96, 'Answer code'),
    ],
  };
  const told: BoxOutcome[] = [];
  let now: BoxView = {
    state: 'open',
    address: '10.42.0.1',
    url: URL_ON_POSTER,
    networks: [
      { name: 'Hotspot', address: '10.42.0.1' },
      { name: 'wlan0', address: '192.168.1.7' },
    ],
    waiting: 0,
    ...view,
  };
  const changed = () => queueMicrotask(() => host.emit({ kind: 'box.changed' }));
  const change = (id: unknown, next: Partial<BoxReport>) => {
    const at = reports.findIndex((one) => one.id === id);
    const one = reports[at];
    if (one !== undefined) reports[at] = { ...one, ...next };
    changed();
    return {};
  };
  const answers: Record<string, (input: Record<string, unknown>) => unknown> = {
    'box.get': () => ({
      ...now,
      waiting: reports.filter(({ state }) => state === 'waiting').length,
    }),
    'box.list': () => ({ reports }),
    'box.set': ({ on, address }) => {
      now = {
        ...now,
        state: on === true ? 'open' : 'off',
        address: (address ?? now.address ?? '10.42.0.1') as string,
        url: URL_ON_POSTER,
      };
      return now;
    },
    'box.renew': () => now,
    'box.discard': ({ report: id, reason }) =>
      change(id, { state: 'discarded', reason: String(reason), closed_at: Date.now() }),
    'box.restore': ({ report: id }) =>
      change(id, { state: 'waiting', reason: '', closed_at: null }),
    'box.tell': ({ outcomes }) => {
      for (const one of outcomes as BoxOutcome[]) {
        told.push(one);
        change(one.id, { ...one, state: 'filed', text: '', name: '', photos: [], closed_at: 1 });
      }
      return {};
    },
  };
  for (const [name, answer] of Object.entries(answers)) host.answers.set(name, answer);
  const bytes = photos.map((file) => file.arrayBuffer());
  return {
    host,
    told,
    reports,
    /** Call before the window opens. */
    ready: async () => {
      const read = (await Promise.all(bytes)).map((one) => new Uint8Array(one));
      host.answers.set('box.read', ({ photo, offset, length }) => {
        const whole = read[Number(photo)] ?? new Uint8Array();
        const from = Number(offset);
        return new Bytes({ size: whole.length }, whole.slice(from, from + Number(length)));
      });
    },
  };
};
const photoOf = async (seed: number) => {
  const file = await make({ format: 'jpeg', width: 300 + 20 * seed, height: 200 });
  return {
    file,
    facts: {
      name: `IMG_${seed}.jpg`,
      size: file.size,
      sha256: String(seed).repeat(64).slice(0, 64),
      content_type: 'image/jpeg',
    },
  };
};
const heading = (name: string) => page.getByRole('heading', { name: new RegExp(name) });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const record = (host: ScriptedHost) =>
  [...host.near_misses.values()].find(({ description }) => description?.includes('board'));

it('two presses file a report: text, photos, time, code and “stays unnamed” are in the near miss', async () => {
  const photos = [await photoOf(1), await photoOf(2)];
  const world = boxed(
    [report({ photos: photos.map(({ facts }) => facts) })],
    {},
    photos.map(({ file }) => file),
  );
  await world.ready();
  await openApp({ host: world.host });
  // The rail says that something waits, for screen readers too.
  await page.getByRole('link', { name: words.places.box_count(1) }).click();
  await expect.element(page.getByText(/A board is loose <b>at gate 2<.b>/)).toBeVisible();
  await expect.element(button(t.photo(2))).toBeVisible();
  await look('the report box');
  await button(t.file).click();
  await expect
    .element(page.getByLabelText(words.capture.what))
    .toHaveValue('A board is loose <b>at gate 2</b>\nsecond line');
  for (const { facts } of photos)
    await expect.element(button(`More for ${facts.name}`)).toBeVisible();
  await button('Save').click();
  await expect.poll(() => record(world.host)?.attachments?.length).toBe(2);
  const saved = record(world.host);
  expect(saved?.description).toContain('&lt;b&gt;at gate 2&lt;/b&gt;');
  expect(saved?.custom_fields).toMatchObject({
    custom_field_95: { value: UNNAMED },
    custom_field_96: { value: 'KBRTWX' },
  });
  // The laptop tells the box, with the number once the server gave one.
  await expect.poll(() => world.told.at(-1)).toMatchObject({ id: ID, answer: '' });
  await expect.poll(() => world.reports[0]?.state).toBe('filed');
  await expect.poll(() => world.told.at(-1)?.number).toBe(String(saved?.full_number ?? ''));
});

slow(
  'a name is in the open form, and in the draft it is not (decisions §4.12); a report is continued, not doubled',
  async () => {
    const { host } = boxed([report({ name: 'Wilhelmina Quist' })]);
    await openApp({ host, at: '/box' });
    await expect.element(page.getByText(new RegExp(t.by('Wilhelmina Quist')))).toBeVisible();
    const drafts = async () => {
      const db = createDb();
      const rows = await db.drafts.toArray();
      db.close();
      return rows;
    };
    for (let times = 0; times < 2; times += 1) {
      await button(t.file).click();
      await expect.element(page.getByLabelText(/^Name/)).toHaveValue('Wilhelmina Quist');
      await expect.poll(async () => (await drafts()).map(({ id }) => id)).toEqual([ID]);
      const [draft] = await drafts();
      expect(draft?.fields.custom_fields).toMatchObject({ custom_field_95: SOMEBODY_ELSE });
      await page.getByRole('link', { name: words.places.box_count(1) }).click();
      await expect.element(heading(t.inbox)).toBeVisible();
    }
    expect(JSON.stringify([await drafts(), { ...localStorage }, host.calls])).not.toContain(
      'Wilhelmina',
    );
    await button(t.file).click();
    await button('Save').click();
    await expect
      .poll(() => record(host)?.custom_fields)
      .toMatchObject({ custom_field_95: { value: 'Wilhelmina Quist' } });
  },
);

slow(
  'discarding needs a reason, by keyboard; “Undo” and “Put back” bring the report back',
  async () => {
    const { host, reports } = boxed([
      report(),
      report({ id: ID.replace('A1', 'A2'), text: 'other' }),
    ]);
    await openApp({ host, at: '/box' });
    const discard = page
      .getByRole('article', { name: /A board/ })
      .getByRole('button', { name: t.discard });
    await expect.element(discard).toBeVisible();
    (discard.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    const dialog = page.getByRole('dialog', { name: t.discard_title });
    await expect.element(dialog.getByLabelText(t.reason)).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText(t.reason_missing)).toBeVisible();
    await look('discarding');
    await userEvent.keyboard('It is 112{Enter}');
    await expect.element(page.getByText(t.discarded)).toBeVisible();
    expect(reports[0]).toMatchObject({ state: 'discarded', reason: 'It is 112' });
    await button(words.app.undo).click();
    await expect.poll(() => reports[0]?.state).toBe('waiting');
    await discard.click();
    await dialog.getByLabelText(t.reason).fill('Twice');
    await button(t.discard_yes).click();
    await page.getByText(new RegExp(t.closed)).click();
    await expect.element(page.getByText(t.was_discarded('Twice'))).toBeVisible();
    await judge('closed reports');
    await button(t.put_back).click();
    await expect.poll(() => reports[0]?.state).toBe('waiting');
  },
);

slow(
  'the box is off at first and out of the rail; turned on, it shows code, networks and prints its poster',
  async () => {
    const { host } = boxed([], { state: 'off', address: null, url: null });
    const print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
    await openApp({ host });
    const rail = page.getByRole('navigation');
    await expect.element(rail.getByRole('link', { name: 'Insights' })).toBeVisible();
    await expect
      .element(rail.getByRole('link', { name: words.places.box }))
      .not.toBeInTheDocument();
    await pressMore(words.places.box);
    await expect.element(heading(t.states.off)).toBeVisible();
    await look('the box is off');
    await button(t.turn_on).click();
    await expect.element(heading(t.states.open)).toBeVisible();
    await expect.element(page.getByText(t.at('10.42.0.1:40404'))).toBeVisible();
    await page.getByLabelText(t.network).selectOptions('192.168.1.7');
    await expect
      .poll(() => host.calls.filter(({ method }) => method === 'box.set').at(-1)?.input)
      .toEqual({ on: true, address: '192.168.1.7' });
    await page.getByLabelText(t.wifi).fill('Site office');
    await look('the box is on');
    await button(t.print).click();
    await expect.poll(() => print.mock.calls.length).toBe(1);
    const poster = document.querySelector('.poster')?.textContent ?? '';
    for (const { title, unnamed } of Object.values(posterWords)) {
      expect(poster).toContain(title);
      expect(poster).toContain(unnamed);
    }
    expect(poster).toContain('Site office');
    await button(t.renew).click();
    await look('new posters');
    await button(t.renew_yes).click();
    await expect.element(page.getByText(t.renewed)).toBeVisible();
    await button(t.turn_off).click();
    await expect.element(heading(t.states.off)).toBeVisible();
  },
);

slow('each state of the box says what to do', async () => {
  for (const state of ['no_network', 'port_taken', 'failed'] as const) {
    const { host } = boxed([], { state, networks: [] });
    await openApp({ host, at: '/box' });
    await expect.element(heading(t.states[state])).toBeVisible();
    await expect.element(page.getByText(t.todo[state])).toBeVisible();
    await judge(state);
  }
  const { host } = boxed([], { state: 'none', url: null });
  await openApp({ host, at: '/box' });
  await expect.element(page.getByText(t.none_text)).toBeVisible();
});

slow('the box learns the answer to a filed report when the near miss gets one', async () => {
  const { host, told } = boxed([report()]);
  await openApp({ host, at: '/box' });
  await button(t.file).click();
  await button('Save').click();
  await expect.poll(() => told.length).toBeGreaterThan(0);
  await expect.poll(() => record(host)).toBeDefined();
  const saved = record(host);
  if (saved === undefined) throw new Error('not saved');
  saved.custom_fields = {
    ...saved.custom_fields,
    ...customFields({}),
    custom_field_92: { data_type: 'string', value: 'New boards' },
  };
  saved.updated_at = new Date(Date.now() + 1_000).toISOString();
  const { app } = await import('../../../src/renderer/state/app.svelte.ts');
  await app.refresh(true);
  await expect.poll(() => told.at(-1)).toMatchObject({ id: ID, answer: 'New boards' });
});
