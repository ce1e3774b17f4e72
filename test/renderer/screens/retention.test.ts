/** How long reports are kept, and legal holds, as an admin sees them (decisions §20). */
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Level } from '../../../src/contract/rest/access/levels.ts';
import type { LegalHold } from '../../../src/contract/rest/retention/legal-holds.ts';
import type {
  Retention,
  RetentionPreview,
} from '../../../src/contract/rest/retention/retention.ts';
import { words } from '../../../src/renderer/words/company-words.ts';
import { openApp } from '../../support/renderer-app.ts';
import { reply } from '../../support/renderer-company.ts';
import { look } from '../../support/renderer-looks.ts';
import { asServer, reported, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const t = words.retention;
const at = '/company-data/retention';
const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');

interface Asked {
  readonly query: { readonly years: number; readonly bin_days: number };
  readonly body: {
    readonly retention: Retention;
    readonly legal_hold: { readonly reason: string };
  };
}

/** The server of a company with twelve old reports, of which one is held. */
const hostOf = (level: Level | null = 'admin') => {
  const host = asServer(siteHost([reported('Hoist hook bent')]));
  host.session = { ...host.session, level };
  const server: { retention: Retention; hold: LegalHold } = {
    retention: { years: null, bin_days: null },
    hold: { held: false, reason: null, set_by: null, set_at: null },
  };
  const answer = (name: string, data: (asked: Asked) => unknown) =>
    host.answers.set(name, (input) => reply(data(input['input'] as Asked)));
  answer('retention.show', () => server.retention);
  answer('retention.update', ({ body }) => (server.retention = body.retention));
  answer('retention.preview', ({ query }): RetentionPreview => {
    const is_on = query.years > 0;
    return {
      years: query.years || null,
      bin_days: query.bin_days || null,
      anonymise: { now: is_on ? 12 : 0, soon: is_on ? 1 : 0 },
      delete: { now: query.bin_days > 0 ? 2 : 0, soon: 0 },
      held: is_on ? 1 : 0,
      hidden: 0,
      near_misses: is_on
        ? [
            {
              id: 1,
              project_id: 10,
              number: '3-12',
              act: 'anonymise',
              due_at: '2025-03-04T05:06:07.000Z',
              held: true,
            },
          ]
        : [],
    };
  });
  answer('legal_hold.show', () => server.hold);
  answer('legal_hold.put', ({ body }) => {
    const set_by = { id: 7, name: 'Maria Kovacs', login: 'maria@example.com' };
    server.hold = { held: true, ...body.legal_hold, set_by, set_at: '2026-05-04T09:00:00.000Z' };
    return server.hold;
  });
  answer('legal_hold.delete', () => {
    server.hold = { held: false, reason: null, set_by: null, set_at: null };
    return undefined;
  });
  return { host, server };
};

it('decisions §20.1, §20.2: off at first; a preset says what it would do before it is saved', async () => {
  const { host, server } = hostOf();
  await openApp({ host, at });
  await expect.element(page.getByRole('heading', { name: t.title })).toBeVisible();
  await expect.element(page.getByText(t.nothing)).toBeVisible();
  await expect.element(button(t.save)).toBeDisabled();
  await page.getByText(t.presets.uk, { exact: true }).click();
  await page.getByText(t.bin_options[60], { exact: true }).click();
  for (const sentence of [t.anonymise_now(12), t.anonymise_soon(1), t.delete_now(2), t.held(1)])
    await expect.element(page.getByText(sentence).first()).toBeVisible();
  await expect.element(page.getByText(t.row('3-12'))).toBeVisible();
  await look('retention');
  expect(server.retention).toEqual({ years: null, bin_days: null });
  await button(t.save).click();
  await expect.element(dialog().getByText(t.sure(14))).toBeVisible();
  await look('retention, asked again');
  await dialog().getByRole('button', { name: t.save, exact: true }).click();
  await expect.element(page.getByText(t.saved)).toBeVisible();
  expect(server.retention).toEqual({ years: 3, bin_days: 60 });
  await expect.element(button(t.save)).toBeDisabled();
});

it('decisions §20.1: an own number by keyboard alone; a number out of bounds is not saved', async () => {
  const { host, server } = hostOf();
  await openApp({ host, at });
  const off = page.getByRole('radio', { name: t.presets.off, exact: true }).first();
  await expect.element(off).toBeInTheDocument();
  (off.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{Tab}');
  const years = page.getByLabelText(t.years_own, { exact: true });
  await expect.element(years).toHaveFocus();
  await userEvent.keyboard('51{Enter}');
  await expect.element(years).toHaveAttribute('aria-invalid', 'true');
  await expect.element(dialog()).not.toBeInTheDocument();
  await userEvent.keyboard('{Backspace}{Backspace}7');
  await expect.element(page.getByText(t.anonymise_now(12))).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog()).toBeVisible();
  await dialog().getByRole('button', { name: t.save, exact: true }).click();
  await expect.element(page.getByText(t.saved)).toBeVisible();
  expect(server.retention).toEqual({ years: 7, bin_days: null });
});

it.each(['standard', null] as const)(
  'decisions §20.1: the level %s is offered neither retention nor legal holds',
  async (level) => {
    const { host } = hostOf(level);
    await openApp({ host, at: '/company-data' });
    await expect.element(page.getByText(words.own_data.kinds.people).first()).toBeVisible();
    await expect.poll(() => page.getByText(t.title).elements()).toHaveLength(0);
    expect(host.calls.filter(({ input }) => String(input['name']).startsWith('legal'))).toEqual([]);
  },
);

slow(
  'decisions §20.5: an admin holds a report with a reason, sees the mark, and releases it',
  async () => {
    const { host, server } = hostOf();
    await openApp({ host });
    await page.getByRole('link', { name: /Hoist hook bent/ }).click();
    const open = async () => {
      await button(words.detail.more).click();
      await page.getByRole('menuitem', { name: t.hold.open, exact: true }).click();
    };
    await open();
    await dialog().getByRole('button', { name: t.hold.set, exact: true }).click();
    await expect.element(dialog().getByText(t.hold.reason_missing)).toBeVisible();
    await look('legal hold');
    await dialog().getByLabelText(t.hold.reason, { exact: true }).fill('Claim of 4 May');
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText(t.hold.was_set)).toBeVisible();
    await expect.element(page.getByText('Claim of 4 May')).toBeVisible();
    expect(server.hold).toMatchObject({ held: true, reason: 'Claim of 4 May' });
    await look('legal hold, marked');
    await open();
    await dialog().getByRole('button', { name: t.hold.release, exact: true }).click();
    await expect.element(page.getByText(t.hold.was_released)).toBeVisible();
    await expect.element(page.getByText('Claim of 4 May')).not.toBeInTheDocument();
    expect(server.hold.held).toBe(false);
  },
);
