/** A window as the tests start, stop and start it again: a database of its own, on a scripted host. */
import { Dexie } from 'dexie';
import { ulid } from 'ulid';
import { afterEach, beforeEach } from 'vitest';
import type { NearMissFields, QueueHistory } from '../../src/renderer/data/db.ts';
import { emptyFields } from '../../src/renderer/data/near-miss-rows.ts';
import { saveNearMiss } from '../../src/renderer/data/near-misses.ts';
import { history } from '../../src/renderer/data/history.ts';
import { type StartedWindow, startWindow } from '../../src/renderer/outbox/start.ts';
import { takeIn } from '../../src/renderer/photos/intake.ts';
import { ACCOUNT, ScriptedHost } from './renderer-host.ts';
import { PATIENCE_MS } from './patience.ts';

export const owner = { account: ACCOUNT, company_id: 1, project_id: 10 };

/** Waits for a condition, and says which did not come; below the limit of a test, so that the sentence is what fails. */
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
   * @param db_name another laptop's database; the test's own where it is left out
   * @param noted the window's own where it is left out
   */
  start(host: ScriptedHost, db_name?: string, noted?: QueueHistory): Promise<StartedWindow>;
  /** Stops every window and deletes the database. */
  clean(): Promise<void>;
}

/** `random: () => 0` makes every wait as short as it may be. */
const testWindows = (): TestWindows => {
  const db_name = `test-${ulid()}`;
  const names = new Set([db_name]);
  const started: StartedWindow[] = [];
  return {
    db_name,
    async start(host, name = db_name, noted = history) {
      names.add(name);
      const answer = await startWindow(host.client(), {
        history: noted,
        db_name: name,
        engine: { lock_name: `outbox-${name}`, random: () => 0 },
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

/** The running test's own. */
export let windows: TestWindows;
export let host: ScriptedHost;

/** Gives each test of a file a database and a scripted host of its own: `windows` and `host`. */
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

/** Saves a near miss with photos of the given bytes, and answers its key. */
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

/** Nothing waits, here or in the journal. */
export const drained = (window: StartedWindow, host: ScriptedHost): Promise<void> =>
  until('the queue is empty', async () => {
    const left = await window.db.entries.count();
    const stones = await window.db.tombstones.count();
    return left === 0 && stones === 0 && host.journal.size === 0;
  });
