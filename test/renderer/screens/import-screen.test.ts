/** Importing a company's own log: heading and columns shown, skipped rows reported, rows queued per vendor. */
import { writeXlsx } from 'hucre/xlsx';
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { emptyCatalog } from '../../../src/renderer/data/db/catalog.ts';
import { app } from '../../../src/renderer/state/app.svelte.ts';
import { words } from '../../../src/renderer/words/company-words.ts';
import { openApp } from '../../support/renderer-app.ts';
import { ScriptedHost } from '../../support/renderer-host.ts';
import { slow } from '../../support/slow.ts';

const t = words.insurances.csv;

const choose = (file: File): void => {
  const picker = document.querySelector<HTMLInputElement>('.scroll input[type=file]');
  if (picker === null) throw new Error('no picker');
  const chosen = new DataTransfer();
  chosen.items.add(file);
  picker.files = chosen.files;
  picker.dispatchEvent(new Event('change', { bubbles: true }));
};

slow(
  'A61: a workbook of two vendors is read below its title; each row waits for its own vendor',
  async () => {
    const host = new ScriptedHost();
    const vendors = [
      { id: 7, name: 'Beam Steel' },
      { id: 8, name: '-Acme (West)' },
    ];
    const data = { ...emptyCatalog, vendors };
    const reply = {
      status: 200,
      data,
      paging: null,
      etag: null,
      replayed: false,
      server_time: null,
    };
    host.answers.set('catalog.show', () => reply);
    await openApp({ host, at: '/insurances/7/csv' });
    await expect.element(page.getByRole('heading', { name: t.title })).toBeVisible();
    const bytes = await writeXlsx({
      sheets: [
        {
          name: 'Log',
          rows: [
            ['Certificate of insurance log 2026'],
            ['Vendor', 'Insurer', 'Policy Number', 'Policy Number', 'Exp Date', 'Limit'],
            ['beam steel', 'Axa', 'GL-1', 'AU-1', new Date('2026-12-31'), 1_000_000],
            ['-Acme (West)', 'Zurich', 'GL-2', 'AU-2', '31-Dec-26', 2_000_000],
            ['Nobody', 'Generali', 'GL-3', null, null, null],
            ['Beam Steel', 'Allianz', 987_654_321_098_765_432, null, null, null],
            ['Total', null, null, null, null, 3_000_000],
          ],
        },
      ],
    });
    choose(new File([Uint8Array.from(bytes)], 'log.xlsx'));
    await expect.element(page.getByText(t.file('log.xlsx', 4))).toBeVisible();
    await expect.element(page.getByText(t.totals([t.row_number(7)]))).toBeVisible();
    await expect.element(page.getByText(t.many_vendors(2))).toBeVisible();
    await page.getByText(t.columns_used(5, 6)).click();
    const heading = page.getByRole('combobox', { name: t.heading_row });
    await expect.element(heading).toHaveValue('2');
    await expect
      .element(page.getByRole('combobox', { name: t.column('D', 'Policy Number') }))
      .toHaveValue('');
    await expect
      .element(page.getByText(t.field_error(t.vendor, t.wrong.unknown_vendor)))
      .toBeVisible();
    await expect.element(page.getByText(t.wrong.cut_number, { exact: false })).toBeVisible();
    // The person chooses another heading row, then the first again.
    await heading.selectOptions('1');
    await expect.element(page.getByText(t.refused.no_field)).toBeVisible();
    await heading.selectOptions('2');
    await page.getByRole('button', { name: t.send(2) }).click();
    await expect.element(page.getByRole('heading', { name: t.title })).not.toBeInTheDocument();
    const waiting = (await app.deps.db.operations.toArray()).map(({ payload }) => payload);
    expect(waiting).toMatchObject([
      { vendor_id: 7, rows: [3], updates: [{ policy_number: 'GL-1', limit: '1000000' }] },
      { vendor_id: 8, rows: [4], updates: [{ name: 'Zurich', expiration_date: '2026-12-31' }] },
    ]);
  },
);

slow(
  'another sheet of a workbook is chosen in the preview, and a file is offered without opening a vendor',
  async () => {
    const host = new ScriptedHost();
    const data = { ...emptyCatalog, vendors: [{ id: 7, name: 'Beam Steel' }] };
    const reply = {
      status: 200,
      data,
      paging: null,
      etag: null,
      replayed: false,
      server_time: null,
    };
    host.answers.set('catalog.show', () => reply);
    await openApp({ host, at: '/insurances' });
    await page.getByRole('link', { name: new RegExp(words.insurances.from_csv) }).click();
    await expect.element(page.getByRole('heading', { name: t.title })).toBeVisible();
    const bytes = await writeXlsx({
      sheets: [
        {
          name: 'General liability',
          rows: [
            ['Insurer', 'Policy Number'],
            ['Axa', 'GL-1'],
          ],
        },
        {
          name: 'Autos',
          rows: [
            ['Vendor', 'Insurer', 'Policy Number'],
            ['Beam Steel', 'Zurich', 'AU-1'],
            ['Beam Steel', 'Allianz', 'AU-2'],
          ],
        },
      ],
    });
    choose(new File([Uint8Array.from(bytes)], 'log.xlsx'));
    // No vendor is open and the first sheet names none.
    await expect.element(page.getByText(t.field_error(t.vendor, t.wrong.no_vendor))).toBeVisible();
    await page.getByRole('combobox', { name: t.sheet }).selectOptions('Autos');
    await expect.element(page.getByText(t.file('log.xlsx', 2))).toBeVisible();
    await page.getByRole('button', { name: t.send(2) }).click();
    await expect.poll(() => location.hash).toBe('#/insurances');
    expect((await app.deps.db.operations.toArray()).map(({ payload }) => payload)).toMatchObject([
      { vendor_id: 7 },
    ]);
  },
);

slow(
  'where the letters of an old file are in doubt, a person chooses them in the preview',
  async () => {
    await openApp({ host: new ScriptedHost(), at: '/insurances/7/csv' });
    await expect.element(page.getByRole('heading', { name: t.title })).toBeVisible();
    // "Kovač" in Windows-1250; the same bytes are "Kovaè" in Windows-1252.
    const bytes = Uint8Array.from('Insurer,Policy Number\nKova\u00e8,GL-1\n', (one) =>
      one.charCodeAt(0),
    );
    choose(new File([bytes], 'old.csv'));
    await expect.element(page.getByText(t.letters_ambiguous)).toBeVisible();
    await expect.element(page.getByText(/Kovaè/).last()).toBeVisible();
    await page.getByRole('combobox', { name: t.letters }).selectOptions('windows-1250');
    await expect.element(page.getByText(t.letters_ambiguous)).not.toBeInTheDocument();
    await expect.element(page.getByRole('cell', { name: /Kovač/ }).first()).toBeVisible();
  },
);
