/**
 * A photo belongs to its draft as soon as its bytes are on disk; neither closing the window nor Save waits for its thumbnail. A
 * photo that did not reach the disk is named at the next start.
 */
import { expect, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import { emptyCatalog } from '../../../src/renderer/data/db/catalog.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { openApp } from '../../support/renderer-app.ts';
import { ScriptedHost, type Call } from '../../support/renderer-host.ts';
import { choosePhotos, fromFixture, make } from '../../support/renderer-photos.ts';
import { slow } from '../../support/slow.ts';

const t = words.capture;
const lost = words.app.lost_photos;

const hostWithAJob = (): ScriptedHost => {
  const host = new ScriptedHost();
  const data = { ...emptyCatalog, incidents: [{ id: 1, number: 1, title: 'Deck' }] };
  const reply = { status: 200, data, paging: null, etag: null, replayed: false, server_time: null };
  host.answers.set('catalog.show', () => reply);
  return host;
};

/** Delays the HEIC decoder until the returned function is called. */
const slowDecoder = (): (() => void) => {
  const { Worker: Real } = globalThis;
  const gate = Promise.withResolvers<void>();
  globalThis.Worker = class extends Real {
    readonly #held: boolean;
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      this.#held = options?.name === 'heif';
    }
    override postMessage(message: unknown): void {
      if (this.#held) void gate.promise.then(() => super.postMessage(message));
      else super.postMessage(message);
    }
  };
  onTestFinished(() => {
    gate.resolve();
    globalThis.Worker = Real;
  });
  return gate.resolve;
};

/** Different files with the same picture: each has a different empty box after it. */
const heics = async (count: number): Promise<File[]> => {
  const plain = await fromFixture('plain.heic');
  return Array.from({ length: count }, (_one, at) => {
    const box = new Uint8Array(8 + at);
    box.set([0, 0, 0, box.length, ...new TextEncoder().encode('free')]);
    return new File([plain, box], `IMG_${at}.HEIC`);
  });
};

/** Begins a report with these files chosen. */
const begin = async (host: ScriptedHost, files: readonly File[]): Promise<void> => {
  await openApp({ host });
  await page.getByRole('link', { name: 'New near miss' }).click();
  await page.getByRole('textbox', { name: t.what }).fill('Board fell from level 3');
  choosePhotos(files);
};

/** The window's picture with this name. */
const tile = (name: string) => page.getByRole('img', { name, exact: true });

/** The last bytes of this file never arrive. */
const neverEnds = (host: ScriptedHost, filename: string): void => {
  let id: unknown = null;
  const problem = { kind: 'offline', reason: 'refused', detail: '' } as const;
  const on = ({ method, input }: Call): boolean => {
    if (input['filename'] === filename) id = input['photo_id'];
    return method === 'photos.finish' && input['photo_id'] === id;
  };
  host.faults.push({ at: 'before', on, problem, after_ms: 2 ** 31 - 1 });
};

slow('A65: Save does not wait for the previews of HEIC photos, which come afterwards', async () => {
  const decode = slowDecoder();
  const host = hostWithAJob();
  const files = await heics(3);
  await begin(host, files);
  await page.getByRole('button', { name: t.save, exact: true }).click();
  await expect.element(page.getByText(t.saved)).toBeVisible();
  const { app } = await import('../../../src/renderer/state/app.svelte.ts');
  const rows = () => app.deps.db.photos.toArray();
  const pictures = async () => (await rows()).filter(({ thumbnail }) => thumbnail !== null).length;
  expect((await rows()).filter(({ near_miss_key }) => near_miss_key !== null)).toHaveLength(3);
  expect(await pictures()).toBe(0);
  decode();
  // All of them: previews are made one at a time, and the next test's would wait for what is left.
  await expect.poll(pictures).toBe(3);
});

slow('A65: a photo is in the draft before its preview is begun', async () => {
  const { createImageBitmap: decode } = globalThis;
  const gate = Promise.withResolvers<void>();
  const later = (...asked: unknown[]) =>
    gate.promise.then(() => Reflect.apply(decode, globalThis, asked) as Promise<ImageBitmap>);
  globalThis.createImageBitmap = later;
  onTestFinished(() => {
    gate.resolve();
    globalThis.createImageBitmap = decode;
  });
  const file = new File([await make({ format: 'jpeg', width: 800, height: 600 })], 'large.jpg');
  await begin(hostWithAJob(), []);
  const { app } = await import('../../../src/renderer/state/app.svelte.ts');
  choosePhotos([file]);
  await expect
    .poll(async () => (await app.deps.db.photos.toArray()).length, { interval: 5 })
    .toBe(1);
  await expect.element(tile('large.jpg')).toHaveTextContent(t.previewing);
  gate.resolve();
  await expect.poll(() => (tile('large.jpg').element() as HTMLImageElement).src).toMatch(/^blob:/);
});

slow(
  'A65: a photo whose bytes are on disk is in the draft after the next start, though no preview was made',
  async () => {
    const decode = slowDecoder();
    const host = hostWithAJob();
    await begin(host, await heics(2));
    await expect.element(tile('IMG_1.HEIC')).toHaveTextContent(t.previewing);
    await openApp({ host });
    await page.getByRole('link', { name: 'New near miss' }).click();
    await page
      .getByRole('button', { name: t.drafts.go_on_with('Board fell from level 3') })
      .click();
    await expect.element(tile('IMG_0.HEIC')).toBeVisible();
    await expect.element(tile('IMG_1.HEIC')).toBeVisible();
    expect(page.getByText(lost.title(1)).elements()).toEqual([]);
    decode();
    await expect
      .poll(() => (tile('IMG_0.HEIC').element() as HTMLImageElement).src)
      .toMatch(/^blob:/);
  },
);

slow(
  'A65: a photo that was still being read is named at the next start, until a person has read it',
  async () => {
    const host = hostWithAJob();
    neverEnds(host, 'second.jpg');
    const files = await Promise.all(
      ['first.jpg', 'second.jpg'].map(
        async (name, at) =>
          new File([await make({ format: 'jpeg', width: 64, height: 48 + at })], name),
      ),
    );
    await begin(host, files);
    await expect.element(tile('first.jpg')).toBeVisible();
    expect(page.getByText(lost.title(1)).elements()).toEqual([]);
    await openApp({ host });
    const told = page.getByRole('alert').filter({ hasText: lost.title(1) });
    await expect.element(told).toBeVisible();
    expect(told.element().textContent).toContain(`second.jpg. ${lost.todo(1)}`);
    expect(told.element().textContent).not.toContain('first.jpg');
    await told.getByRole('button', { name: lost.open }).click();
    await expect.element(tile('first.jpg')).toBeVisible();
    await told.getByRole('button', { name: lost.read }).click();
    await expect.poll(() => told.elements()).toEqual([]);
    await openApp({ host });
    await expect.element(page.getByRole('link', { name: 'New near miss' })).toBeVisible();
    expect(told.elements()).toEqual([]);
  },
);
