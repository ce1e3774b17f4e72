/**
 * Stores the window's settings in a small file. A damaged file is renamed and the defaults apply; an unreadable file is left
 * alone. An unknown value, perhaps from a newer version, is ignored but preserved.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { settingsChange, settingsSchema, type Settings } from '../../contract/settings.ts';
import { ok, type Result } from '../../contract/problem.ts';
import { move } from '../../disk/retry-busy-file.ts';
import { failFile, readOwn, writeFileAtomic } from './files.ts';

export interface SettingsStore {
  get(): Settings;
  set(change: Partial<Settings>): Promise<Result<Settings>>;
}

const someObject = z.record(z.string(), z.unknown());

interface Read {
  readonly settings: Settings;
  /** Values in the file that this version does not know, by name. */
  readonly unknown: Readonly<Record<string, unknown>>;
}

/** @throws if the text is not a JSON object */
const readText = (text: string | null): Read => {
  const entries = Object.entries(someObject.parse(JSON.parse(text ?? '{}')));
  const known = ([name, value]: readonly [string, unknown]): boolean =>
    Object.hasOwn(settingsChange.shape, name) &&
    settingsChange.safeParse({ [name]: value }).success;
  const { known: ours = [], unknown = [] } = Object.groupBy(entries, (one) =>
    known(one) ? 'known' : 'unknown',
  );
  return {
    settings: settingsSchema.parse(Object.fromEntries(ours)),
    unknown: Object.fromEntries(unknown),
  };
};

/**
 * @param fixed values set by the company policy. They override the user's choices, which stay in the file for when the policy
 * ends.
 * @throws {Unreadable}
 */
export const openSettings = async (
  folder: string,
  changed: (settings: Settings) => void,
  fixed: Partial<Settings> = {},
): Promise<SettingsStore> => {
  const path = join(folder, 'settings.json');
  let { settings, unknown } = readText(null);
  const text = await readOwn(path);
  try {
    ({ settings, unknown } = readText(text));
  } catch {
    await move(path, `${path}.damaged`).catch(() => undefined);
  }
  const counted = (): Settings => ({ ...settings, ...fixed });
  let last: Promise<unknown> = Promise.resolve();

  const write = async (change: Partial<Settings>): Promise<Result<Settings>> => {
    const given = Object.fromEntries(
      Object.entries(change).filter(
        ([name, value]) => value !== undefined && !Object.hasOwn(fixed, name),
      ),
    );
    const next = settingsSchema.parse({ ...settings, ...given });
    const left = Object.fromEntries(
      Object.entries(unknown).filter(([name]) => !Object.hasOwn(given, name)),
    );
    try {
      await writeFileAtomic(path, JSON.stringify({ ...next, ...left }));
    } catch (error) {
      return failFile(error);
    }
    settings = next;
    unknown = left;
    changed(counted());
    return ok(counted());
  };

  return {
    get: counted,
    set: (change) => {
      const result = last.then(() => write(change));
      last = result;
      return result;
    },
  };
};
