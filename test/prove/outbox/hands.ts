/**
 * Performs the script's actions: through the driver page's functions, or as a person in the real window. Both return the same
 * outcomes.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { connectToServer, report } from '../../e2e/steps.ts';
import {
  type Action,
  type Outcome,
  photoBytes,
  type PhotoSpec,
  type WindowState,
} from './actions.ts';

interface Access {
  readonly address: string;
  readonly company_id: number;
  readonly project_id: number;
  readonly token: string;
}

export interface Hands {
  /** Whether the window reports its steps before taking them. */
  readonly tells: boolean;
  /** Time limit of one action, milliseconds. */
  readonly patience: number;
  /** Null if it worked, else the reason. */
  connect(page: Page, access: Access): Promise<string | null>;
  act(page: Page, action: Action): Promise<Outcome>;
  state(page: Page): Promise<WindowState>;
  /** Resends what needs a person; hurries nothing else. */
  sendAgain(page: Page): Promise<void>;
}

export const driverHands: Hands = {
  tells: true,
  patience: 30_000,
  connect: (page, access) => page.evaluate((to) => window.driver.connect(to), access),
  act: (page, action) => page.evaluate((asked) => window.driver.act(asked), action),
  state: (page) => page.evaluate(() => window.driver.state()),
  sendAgain: (page) => page.evaluate(() => window.driver.sendAgain()),
};

/** Reads the real window's state directly, from its database and from the host. */
const peek = async (): Promise<WindowState> => {
  const { at, key } = JSON.parse(sessionStorage.getItem('spotter-entered') ?? '{}') as {
    readonly at?: string;
    readonly key?: string;
  };
  const ask = async (method: string) => {
    const answer = await fetch(`${at}/host/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'spotter-key': key ?? '' },
      body: '{}',
    });
    return (await answer.json()) as {
      readonly value?: { readonly state?: string; readonly operations?: readonly unknown[] };
    };
  };
  const all = (db: IDBDatabase, name: string): Promise<readonly Record<string, unknown>[]> =>
    new Promise((resolve, reject) => {
      const request = db.transaction(name).objectStore(name).getAll();
      request.onsuccess = () => resolve(request.result as readonly Record<string, unknown>[]);
      request.onerror = () => reject(new Error(name));
    });
  if (!(await indexedDB.databases()).some((one) => one.name === 'spotter'))
    throw new Error('no database yet');
  const db = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('spotter');
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(new Error('spotter'));
  });
  try {
    const [operations, tombstones, quarantine, photos] = await Promise.all(
      ['operations', 'tombstones', 'quarantine', 'photos'].map((name) => all(db, name)),
    );
    const [session, journal] = [await ask('session.get'), await ask('journal.list')];
    return {
      leads: true,
      session: session.value?.state ?? 'none',
      operations: (operations ?? []).map((operation) => ({
        id: String(operation['id']),
        kind: String(operation['kind']),
        lane: String(operation['lane']),
        state: String(operation['state']),
        attempts: Number(operation['attempts']),
        problem: JSON.stringify(operation['last_problem'] ?? null),
      })),
      tombstones: tombstones?.length ?? 0,
      quarantined: quarantine?.length ?? 0,
      hold: null,
      journal: journal.value?.operations?.length ?? -1,
      undelivered: (photos ?? []).filter(
        (photo) => photo['near_miss_key'] !== null && photo['state'] !== 'delivered',
      ).length,
    };
  } finally {
    db.close();
  }
};

const WORDS_MS = 8_000;

/** @param folder for the photo files that the picker gets */
export const personHands = (folder: string): Hands => {
  const fileOf = async (photo: PhotoSpec) => {
    await mkdir(folder, { recursive: true });
    const path = join(folder, `photo-${photo.seed}.jpg`);
    await writeFile(path, photoBytes(photo));
    return { path, size: photo.size, sha256: '' };
  };
  /** Maps a script's keys to the texts by which a person finds records. */
  const markers = new Map<string, string>();

  const show = async (page: Page, key: string): Promise<boolean> => {
    await page.getByRole('link', { name: 'Near misses', exact: true }).click();
    const row = page.locator('.scroller li', { hasText: `${markers.get(key) ?? '?'} ` }).first();
    const there = await row.waitFor({ timeout: 2_000 }).then(
      () => true,
      () => false,
    );
    if (!there) return false;
    await row.getByRole('link').first().click();
    await page.getByRole('link', { name: 'Edit', exact: true }).waitFor({ timeout: WORDS_MS });
    return true;
  };

  /** Discards what an earlier report left unfinished. */
  const emptyForm = async (page: Page): Promise<void> => {
    // Leaves and reopens the form, because a new form is empty.
    await page.getByRole('link', { name: 'Near misses', exact: true }).click();
    await page.getByRole('link', { name: 'New near miss' }).click();
    await page.getByLabel('What happened?').waitFor();
  };

  return {
    tells: false,
    patience: 40_000,
    async connect(page, { address, ...first }) {
      const server = { url: address, first } as unknown as Parameters<typeof connectToServer>[1];
      await connectToServer(page, server, 'Harbour Bridge East');
      return null;
    },
    async act(page, action) {
      page.setDefaultTimeout(WORDS_MS);
      if (action.do === 'create') {
        markers.set(action.key, action.text.replace(/ \d+$/, ''));
        const photos = await Promise.all(action.photos.map(fileOf));
        await emptyForm(page);
        await report(page, { text: action.text, photos });
        return { said: 'saved' };
      }
      if (action.do !== 'edit' && action.do !== 'delete') return { said: 'nothing' };
      if (!(await show(page, action.key))) return { said: 'nothing' };
      if (action.do === 'edit') {
        await page.getByRole('link', { name: 'Edit', exact: true }).click();
        await page.getByLabel('What happened?').fill(action.text);
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        // The form closes only once it is saved; the text may still be from the previous edit.
        await page.waitForURL((url) => !url.hash.endsWith('/edit'));
        await page.getByText('Changes saved on this laptop.').first().waitFor();
        return { said: 'saved' };
      }
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      const sure = page.getByRole('button', { name: 'Delete for good' });
      await sure.click({ timeout: 500 }).catch(() => undefined);
      // The window leaves the record without showing whether the journal has the delete.
      return { said: 'unknown' };
    },
    state: (page) => page.evaluate(peek),
    async sendAgain(page) {
      await page.getByRole('link', { name: /^Waiting/ }).click();
      for (const name of ['Send again'])
        for (const button of await page.getByRole('button', { name }).all())
          await button.click({ timeout: 500 }).catch(() => undefined);
    },
  };
};
