/** Who saw it (decisions §4.12): somebody who stays unnamed is named nowhere, gets a code, and learns what was done with it. */
import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { SOMEBODY_ELSE, UNNAMED } from '../../../src/contract/text/who-saw.ts';
import { createDb } from '../../../src/renderer/data/db/db.ts';
import { words } from '../../../src/renderer/words/company-words.ts';
import { slipWords } from '../../../src/renderer/words/slip-sheet.ts';
import { openApp } from '../../support/renderer-app.ts';
import { judge, look } from '../../support/renderer-looks.ts';
import {
  asServer,
  pressMore,
  reported,
  siteCatalog,
  siteHost,
} from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const WHO = 'custom_field_95';
const CODE = 'custom_field_96';
const WHAT = 'custom_field_92';
/** Unknown to the company. */
const NAME = 'Wilhelmina Quist';
const field = (id: number, label: string) => ({
  id,
  label,
  data_type: 'string' as const,
  options: [],
  required: false,
});
const value = (text: string) => ({ data_type: 'string' as const, value: text });

/** A server whose forms ask who saw it. */
const asking = (...given: Parameters<typeof siteHost>) => {
  const host = asServer(siteHost(...given));
  host.service.catalog = {
    ...siteCatalog,
    custom_field_definitions: [
      ...siteCatalog.custom_field_definitions,
      field(91, 'Seen'),
      field(92, 'What we did'),
      field(95, 'Who saw it'),
      field(96, 'Answer code'),
    ],
  };
  return host;
};
const stored = (host: ReturnType<typeof asking>) => {
  const [record] = [...host.near_misses.values()];
  const texts = record?.custom_fields as
    Record<string, { value: string | null } | undefined> | undefined;
  return { who: texts?.[WHO]?.value ?? null, code: texts?.[CODE]?.value ?? null };
};
/** Everything the window keeps, and every call that its host got: the journal, drafts, the log and requests. */
const kept = async (host: ReturnType<typeof asking>): Promise<string> => {
  const db = createDb();
  const tables = await Promise.all(db.tables.map((table) => table.toArray()));
  db.close();
  const storages = [{ ...localStorage }, { ...sessionStorage }];
  return JSON.stringify([tables, storages, host.calls]);
};

const t = words.who_saw;
const who = () => page.getByRole('group', { name: /Who saw it/ });
const write = async (text: string) => {
  await page.getByLabelText(words.capture.what).fill(text);
  const job = page.getByRole('button', { name: 'Tower crane operations', exact: true });
  await job.click();
};
const name = () => page.getByLabelText(/^Name/);
const save = () => page.getByRole('button', { name: 'Save', exact: true }).click();

it('decisions §4.12: a typed name reaches no store; a code is shown; the next report starts with the reporter', async () => {
  const host = asking();
  await openApp({ host, at: '/new' });
  await write('Sling frayed');
  const change = page.getByRole('button', { name: `${t.change}: Who saw it` });
  (change.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  // Arrow keys move the choice.
  await expect.poll(() => document.activeElement?.getAttribute('type')).toBe('radio');
  await userEvent.keyboard('{ArrowDown}');
  await name().fill(NAME);
  await expect.poll(() => kept(host)).toContain(SOMEBODY_ELSE);
  expect(await kept(host)).not.toContain('Wilhelmina');
  await judge('who saw it, a name');
  await who().getByText(t.choices.unnamed).click();
  await expect.element(page.getByText(t.unnamed_about)).toBeVisible();
  await expect.element(name()).not.toBeInTheDocument();
  await who().getByText(t.choices.other).click();
  await expect.element(name()).toHaveValue('');
  await who().getByText(t.choices.unnamed).click();
  await look('who saw it');
  await save();
  const dialog = page.getByRole('dialog', { name: t.slip });
  await expect.element(dialog).toBeVisible();
  await expect.poll(() => stored(host).who).toBe(UNNAMED);
  const { code } = stored(host);
  expect(code).toMatch(/^[B-DF-HJKMNPR-TW-Z]{6}$/);
  await expect
    .element(dialog.getByRole('img', { name: [...(code ?? '')].join(' ') }))
    .toHaveTextContent(`${code?.slice(0, 3)} ${code?.slice(3)}`);
  await judge('the code');
  expect(await kept(host)).not.toContain('Wilhelmina');

  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('heading', { level: 1, name: 'Sling frayed' })).toBeVisible();
  await expect.element(page.getByText(UNNAMED)).toBeVisible();
  // The code is found again in the report's menu.
  await pressMore(t.slip, words.detail.more);
  await expect.element(dialog).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await page.getByRole('link', { name: 'New near miss' }).click();
  await expect.element(page.getByText(t.choices.me)).toBeVisible();
  await expect.element(who()).not.toBeInTheDocument();
});

slow(
  'decisions §4.12: names of the company in the text are pointed out and taken out, never blocked',
  async () => {
    const host = asking();
    await openApp({ host, at: '/new' });
    await write('Tom saw the hook, said Maria Kovacs');
    await page.getByRole('button', { name: `${t.change}: Who saw it` }).click();
    await expect.element(page.getByText(t.named(['Maria Kovacs', 'Tom']))).not.toBeInTheDocument();
    await who().getByText(t.choices.unnamed).click();
    await expect.element(page.getByText(t.named(['Maria Kovacs', 'Tom']))).toBeVisible();
    await look('who saw it, names');
    await page.getByRole('button', { name: t.take_out('Tom'), exact: true }).click();
    await expect
      .element(page.getByLabelText(words.capture.what))
      .toHaveValue('somebody saw the hook, said Maria Kovacs');
    // The focus stays beside the name that is left, then goes to the choice.
    await expect
      .element(page.getByRole('button', { name: t.take_out('Maria Kovacs') }))
      .toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect
      .element(page.getByLabelText(words.capture.what))
      .toHaveValue('somebody saw the hook, said somebody');
    await expect.poll(() => document.activeElement?.getAttribute('type')).toBe('radio');
    await save();
    await expect.poll(() => stored(host).who).toBe(UNNAMED);
  },
);

slow(
  'decisions §4.12: a code, typed in any way, gives the answer or the day, and nothing else of the report',
  async () => {
    const host = asking([
      {
        ...reported('Hoist hook bent'),
        custom_fields: {
          [WHO]: value(UNNAMED),
          [CODE]: value('KBRTWX'),
          [WHAT]: value('New hook'),
        },
      },
      {
        ...reported('Gate left open'),
        custom_fields: { [WHO]: value(UNNAMED), [CODE]: value('CDFGHJ') },
      },
    ]);
    await openApp({ host });
    await expect.element(page.getByRole('link', { name: /Hoist hook bent/ })).toBeVisible();
    await pressMore(words.list.answer_for_code);
    const dialog = page.getByRole('dialog', { name: words.list.answer_for_code });
    const ask = async (code: string) => {
      await dialog.getByLabelText(t.ask.code).fill(code);
      await userEvent.keyboard('{Enter}');
    };
    host.up = false;
    await ask('kbr twx');
    await expect.element(dialog.getByText('New hook')).toBeVisible();
    expect(dialog.element().textContent).not.toContain('Hoist');
    await look('answer for a code');
    await ask('CDF-GHJ');
    await expect.element(dialog.getByText(/^No answer yet\. It was reported on /)).toBeVisible();
    await ask('BBBBBB');
    await expect.element(dialog.getByText(t.ask.unknown)).toBeVisible();
    await ask('hello');
    await expect.element(dialog.getByText(t.ask.no_code)).toBeVisible();
    await judge('answer for a code, refused');
  },
);

slow(
  'decisions §4.12: the slip has code, site and how to ask, in the chosen language, and nothing of the report',
  async () => {
    const host = asking([
      {
        ...reported('Hoist hook bent at gate 4'),
        custom_fields: { [WHO]: value(UNNAMED), [CODE]: value('KBRTWX') },
      },
    ]);
    await openApp({ host, settings: { language: 'es' } });
    const print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
    await page.getByRole('link', { name: /Hoist hook bent/ }).click();
    await expect.element(page.getByText('No da su nombre')).toBeVisible();
    await pressMore(words.who_saw.slip, words.detail.more);
    const dialog = page.getByRole('dialog', { name: words.who_saw.slip });
    await look('the code, Spanish');
    await dialog.getByRole('button', { name: 'English' }).click();
    await dialog.getByRole('button', { name: words.who_saw.print_slip }).click();
    await expect.poll(() => print.mock.calls.length).toBe(1);
    const slip = document.querySelector('.slip');
    expect(slip?.getAttribute('lang')).toBe('en');
    const text = slip?.textContent ?? '';
    for (const part of ['KBR TWX', slipWords.en.title, slipWords.en.how, 'Harbour Bridge East'])
      expect(text).toContain(part);
    expect(text).not.toContain('Hoist');
  },
);

slow('decisions §4.12: a draft comes back as seen by somebody else, without the name', async () => {
  const host = asking();
  await openApp({ host, at: '/new' });
  await write('Sling frayed');
  await page.getByRole('button', { name: `${t.change}: Who saw it` }).click();
  await who().getByText(t.choices.other).click();
  await name().fill(NAME);
  await expect.poll(() => kept(host)).toContain(SOMEBODY_ELSE);
  // A reload; the draft is in the window's store and the journal.
  await openApp({ host, at: '/new' });
  await page
    .getByRole('button', { name: /Sling frayed/ })
    .first()
    .click();
  await expect.element(page.getByLabelText(words.capture.what)).toHaveValue('Sling frayed');
  await expect.element(name()).toHaveValue('');
  expect(await kept(host)).not.toContain('Wilhelmina');
});

slow(
  'decisions §4.12: a report that was saved with a name says what stays, and gets its code by the change',
  async () => {
    const host = asking([
      { ...reported('Gate left open'), custom_fields: { [WHO]: value('Ada Winter') } },
    ]);
    await openApp({ host });
    await page.getByRole('link', { name: /Gate left open/ }).click();
    await expect.element(page.getByText('Ada Winter')).toBeVisible();
    await page.getByRole('link', { name: words.detail.edit, exact: true }).click();
    await expect.element(name()).toHaveValue('Ada Winter');
    await who().getByText(t.choices.unnamed).click();
    await expect.element(page.getByText(t.was_named, { exact: false })).toBeVisible();
    await save();
    await expect.element(page.getByRole('dialog', { name: t.slip })).toBeVisible();
    await expect
      .poll(() => stored(host))
      .toEqual({ who: UNNAMED, code: expect.stringMatching(/^[A-Z]{6}$/) });
  },
);

slow('decisions §4.12: a server without the fields is not asked for them', async () => {
  await openApp({ host: asServer(siteHost()), at: '/new' });
  await write('Sling frayed');
  await expect.element(page.getByText('Who saw it')).not.toBeInTheDocument();
});
