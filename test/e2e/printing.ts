/** Printing in tests: the system's dialog does not open, and its pages are captured as a PDF. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from './fixtures.ts';
import type { Page } from 'playwright/test';

interface Printing {
  printed?: number;
}

/** Makes the window count print requests instead of printing. */
export const countPrints = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.print = () => {
      (window as Printing).printed = ((window as Printing).printed ?? 0) + 1;
    };
  });

/** Waits until the window has asked to print `times` times. */
export const hasPrinted = (page: Page, times: number): Promise<void> =>
  expect.poll(() => page.evaluate(() => (window as Printing).printed ?? 0)).toBe(times);

export interface Paper {
  readonly pages: number;
  /** All text on the pages, in order. */
  readonly text: string;
}

/** Number of pages of a PDF made by Chromium; 0 if it is no PDF or incomplete. */
export const pagesIn = (pdf: Buffer): number => {
  const text = pdf.toString('latin1');
  if (!/^%PDF-[^]*%%EOF\s*$/.test(text)) return 0;
  return text.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
};

/** Captures the current pages as a PDF; the window then removes them. */
export const paperOf = async (
  page: Page,
  name: string,
  format: 'A4' | 'Letter' = 'A4',
): Promise<Paper> => {
  await page.emulateMedia({ media: 'print' });
  const text = await page.locator('#app').innerText();
  await page.emulateMedia({ media: null });
  const pdf = await page.pdf({ format, printBackground: true, preferCSSPageSize: false });
  const shots = process.env['SPOTTER_LOOKS'];
  if (shots) await writeFile(join(shots, `${name}.pdf`), pdf);
  return { pages: pagesIn(pdf), text };
};
