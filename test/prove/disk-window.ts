/**
 * The whole app on a full disk (failures A16): host, window and Chromium's profile with its IndexedDB on one small ext4 image,
 * which fills while a person types near misses. A save is confirmed or visibly refused, then the app is closed or killed. With
 * space again, every confirmed record is there once and queued.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { bringWindow } from '../../src/setup/window/window.ts';
import { connectToServer, photoFile } from '../e2e/steps.ts';
import { startServer } from '../support/server.ts';
import { tempDir } from '../support/service.ts';
import { openShell, waitingRecords, type Shell } from '../support/shell.ts';
import { makeSmallDisk, smallDiskMissing, type SmallDisk } from '../support/small-disk.ts';
import { randomFrom } from './random.ts';
import type { Case, Outcome } from './run.ts';

const DISK_BYTES = 220 * 1024 * 1024;
const REPORTS = 9;

interface Count {
  saved: number;
  refused: number;
  /** Refused, but not as a full disk: Chromium does not always report why it cannot open a database. */
  refused_in_other_words: number;
  photos_refused: number;
  /** The browser closed the database under the window, and the window said so. */
  closed: number;
  kills: number;
}

/** Types a near miss and saves it; returns the window's response. */
const save = async (
  page: Page,
  text: string,
  photo: string | null,
  count: Count,
): Promise<'saved' | 'refused' | 'closed' | 'nothing'> => {
  await page.goto(`${new URL(page.url()).origin}/#/near-misses`);
  await page.getByRole('link', { name: 'New near miss' }).click();
  const form = page.getByLabel('What happened?');
  const closed = page.getByRole('button', { name: 'Open again' });
  await form.or(closed).first().waitFor({ timeout: 30_000 });
  // Shown at the top of every screen: nothing can be saved until there is space.
  if (await closed.isVisible()) return 'closed';
  await form.fill(text);
  const incident = page.getByRole('combobox', { name: /^Job or area/ });
  if ((await incident.isVisible()) && (await incident.inputValue()) === '') {
    await incident.click();
    await page.getByRole('option').first().click();
  }
  if (photo !== null) {
    await page.locator('input[type=file]').setInputFiles(photo);
    const taken = page.getByRole('button', { name: /^More for IMG_/ });
    const refused = page.getByText('The disk is full.').first();
    await taken.or(refused).first().waitFor({ timeout: 20_000 });
    if (await refused.isVisible()) count.photos_refused += 1;
  }
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const done = page.waitForURL(/#\/near-misses\/[^/]+$/, { timeout: 20_000 }).then(
    () => 'saved' as const,
    () => 'nothing' as const,
  );
  // Matches the refusal of the save; a photo's refusal may also be visible.
  const said = page
    .getByRole('alert')
    .filter({ hasText: 'Not saved yet.' })
    .waitFor({ timeout: 20_000 })
    .then(
      () => 'refused' as const,
      () => 'nothing' as const,
    );
  return Promise.race([done, said]);
};

const forget = async (page: Page): Promise<void> => {
  const cancel = page.getByRole('button', { name: 'Discard' });
  if (await cancel.isVisible()) await cancel.click();
};

/** Reopened on the full disk, it either says that it cannot or works. */
const openAgain = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Open again' }).click();
  const full = page.getByText('The disk is full, so Spotter cannot open its data.');
  const works = page.getByRole('link', { name: /^Waiting/ });
  const cannot = page.getByText('Spotter could not open its data on this laptop.');
  await full.or(works).or(cannot).first().waitFor({ timeout: 30_000 });
};

const typeUntilFull = async (
  shell: Shell,
  disk: SmallDisk,
  random: () => number,
  photo: string,
  count: Count,
): Promise<{ readonly saved: string[]; readonly wrong: string[] }> => {
  const saved: string[] = [];
  const wrong: string[] = [];
  const fillAt = 1 + Math.floor(random() * 3);
  for (let at = 0; at < REPORTS; at += 1) {
    if (at === fillAt) disk.fill(Math.floor(random() * 6_000_000));
    if (at === fillAt + 3) disk.fill(0);
    const text = `On a full disk ${at} ${'x'.repeat(Math.floor(random() * 40_000))}`;
    const said = await save(shell.page, text, random() < 0.3 ? photo : null, count);
    if (said === 'saved') saved.push(text);
    else if (said === 'refused') {
      count.refused += 1;
      const words = await shell.page.getByRole('alert').allInnerTexts();
      if (!words.some((one) => /disk is full/.test(one))) count.refused_in_other_words += 1;
    } else if (said === 'closed') {
      count.closed += 1;
      await openAgain(shell.page);
      break;
    } else wrong.push(`report ${at} was neither saved nor refused`);
    await forget(shell.page);
  }
  count.saved += saved.length;
  return { saved, wrong };
};

const check = (saved: readonly string[], found: readonly string[]): string[] => {
  const wrong: string[] = [];
  for (const text of saved) {
    const times = found.filter((one) => one.includes(text)).length;
    if (times !== 1) wrong.push(`"${text.slice(0, 20)}" is there ${times} times`);
  }
  return wrong;
};

const oneRun = async (
  seed: number,
  template: string,
  photo: string,
  count: Count,
): Promise<string[]> => {
  const random = randomFrom(seed);
  for (let skip = 0; skip < 5; skip += 1) random();
  const disk = makeSmallDisk(DISK_BYTES);
  const folder = join(disk.path, 'app');
  const wrong: string[] = [];
  let shell: Shell | null = null;
  try {
    cpSync(template, folder, { recursive: true });
    shell = await openShell(folder);
    const typed = await typeUntilFull(shell, disk, random, photo, count);
    wrong.push(...typed.wrong);
    if (random() < 0.5) {
      count.kills += 1;
      await shell.kill();
    } else await shell.close();
    shell = null;
    disk.empty();
    shell = await openShell(folder);
    await shell.page.getByRole('link', { name: /^Waiting/ }).waitFor({ timeout: 30_000 });
    const found = await waitingRecords(shell.page);
    wrong.push(...check(typed.saved, found));
    const again = await save(shell.page, 'With room again', null, count);
    if (again !== 'saved') wrong.push(`with room again: ${again}`);
  } catch (error) {
    wrong.push(String(error).split('\n')[0] ?? '');
  } finally {
    await shell?.kill();
    disk.remove();
  }
  return wrong.map((one) => `seed ${seed}: ${one}`);
};

/** A connected data folder with a loaded catalog and an empty queue. */
const connected = async (folder: string): Promise<void> => {
  const server = await startServer();
  try {
    const shell = await openShell(folder);
    await connectToServer(shell.page, server, 'Harbour Bridge East');
    await shell.close();
  } finally {
    await server.remove();
  }
};

/** Plays `runs` runs; `failures` names the seed of each failure. `tell` receives progress, and failures at once. */
export const fillWindowDisks = async (
  seed: number,
  runs: number,
  tell: (text: string) => void = () => undefined,
): Promise<Outcome> => {
  const missing = smallDiskMissing();
  if (missing !== null) return { runs: 0, failures: [`not run: ${missing}`] };
  await bringWindow(join(import.meta.dirname, '../..'), () => undefined);
  const place = tempDir('prove-disk-window');
  const count: Count = {
    saved: 0,
    refused: 0,
    refused_in_other_words: 0,
    photos_refused: 0,
    closed: 0,
    kills: 0,
  };
  const failures: string[] = [];
  try {
    const template = join(place.path, 'template');
    await connected(template);
    const { path: photo } = await photoFile(place.path, 1, 400_000);
    for (let run = 0; run < runs; run += 1) {
      const wrong = await oneRun(seed + run, template, photo, count);
      failures.push(...wrong);
      wrong.forEach((one) => tell(one));
      if ((run + 1) % 10 === 0) tell(`${run + 1} runs …`);
    }
  } finally {
    place.remove();
  }
  const said = Object.entries(count).map(([name, n]) => `${n} ${name.replaceAll('_', ' ')}`);
  return { runs, failures, note: said.join(', ') };
};

const RUNS = Number(process.env['SPOTTER_WINDOW_DISKS'] ?? 50);

export const diskWindow: Case = {
  name: 'disk',
  title: 'a full disk under host, window and IndexedDB: 0 confirmed near misses lost',
  run: (seed) => fillWindowDisks(seed, RUNS, console.log),
};
