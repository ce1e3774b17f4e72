/** Starts, stops and restarts a window in tests, each with its own database on a scripted host. */
import { Dexie } from 'dexie';
import { ulid } from 'ulid';
import { afterEach, beforeEach } from 'vitest';
import type { NearMissFields } from '../../src/renderer/data/db/db.ts';
import { emptyFields } from '../../src/renderer/data/model/near-miss-rows.ts';
import { saveNearMiss } from '../../src/renderer/data/near-misses/near-misses.ts';
import { history } from '../../src/renderer/data/near-misses/history.ts';
import {
  type StartedWindow,
  type StartOptions,
  startWindow,
} from '../../src/renderer/outbox/start.ts';
import { takeIn } from '../../src/renderer/photos/intake.ts';
import { ACCOUNT, ScriptedHost } from './renderer-host.ts';
import { PATIENCE_MS } from './patience.ts';

export const owner = { account: ACCOUNT, company_id: 1, project_id: 10 };

/** Waits for a condition and names it on failure. Its limit is below the limit of a test, so this message is what fails. */
export const until = async (
  what: string,
  holds: () => boolean | Promise<boolean>,
  ms = PATIENCE_MS,
): Promise<void> => {
  const end = performance.now() + ms;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

interface TestWindows {
  readonly db_name: string;
  /**
   * @param db_name another laptop's database; default: the test's database
   * @param more options other than the window's own
   */
  start(host: ScriptedHost, db_name?: string, more?: Partial<StartOptions>): Promise<StartedWindow>;
  /** Stops every window and deletes the database. */
  clean(): Promise<void>;
}

/** `random: () => 0` makes every backoff as short as possible. */
const testWindows = (): TestWindows => {
  const db_name = `test-${ulid()}`;
  const names = new Set([db_name]);
  const started: StartedWindow[] = [];
  return {
    db_name,
    async start(host, name = db_name, more = {}) {
      names.add(name);
      const answer = await startWindow(host.client(), {
        history,
        db_name: name,
        engine: { lock_name: `outbox-${name}`, random: () => 0 },
        ...more,
      });
      if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
      started.push(answer.value);
      return answer.value;
    },
    async clean() {
      for (const one of started.splice(0)) await one.stop();
      for (const name of names) await Dexie.delete(name);
    },
  };
};

/** The windows and host of the running test. */
export let windows: TestWindows;
export let host: ScriptedHost;

/** Gives each test of a file its own database and scripted host: `windows` and `host`. */
export const windowPerTest = (): void => {
  beforeEach(() => {
    windows = testWindows();
    host = new ScriptedHost();
  });
  afterEach(() => windows.clean());
};

export const fieldsOf = (text: string, change: Partial<NearMissFields> = {}): NearMissFields => ({
  ...emptyFields,
  incident_id: 1,
  description: `<p>${text}</p>`,
  ...change,
});

/** Saves a near miss with photos of the given bytes and returns its key. */
export const capture = async (
  window: StartedWindow,
  text: string,
  photos: readonly Uint8Array<ArrayBuffer>[] = [],
  change: Partial<NearMissFields> = {},
): Promise<string> => {
  const id = ulid();
  const files = photos.map((bytes, index) => new File([bytes], `photo-${index}.jpg`));
  const taken = await takeIn(window, { account: owner.account, draft_id: id }, files);
  for (const one of taken) if (!one.ok) throw new Error(JSON.stringify(one.refusal));
  const saved = await saveNearMiss(window, { id, ...owner, fields: fieldsOf(text, change) });
  if (!saved.ok) throw new Error(JSON.stringify(saved.problem));
  return saved.value.key;
};

export const photoBytes = (size: number, seed: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(size);
  for (let index = 0; index < size; index += 1) bytes[index] = (index * 31 + seed * 17) & 0xff;
  bytes.set([0xff, 0xd8, 0xff].slice(0, size));
  return bytes;
};

/** Waits until nothing is pending, here or in the journal. */
export const drained = (window: StartedWindow, host: ScriptedHost): Promise<void> =>
  until('the queue is empty', async () => {
    const left = await window.db.operations.count();
    const stones = await window.db.tombstones.count();
    return left === 0 && stones === 0 && host.journal.size === 0;
  });
