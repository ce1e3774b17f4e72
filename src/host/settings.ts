/**
 * The window's settings, kept in one small file. A damaged file is set aside and the defaults serve; one that cannot be read is
 * left alone. In a whole file a value that this version does not know, as a newer one may have written it, costs only itself and
 * stays where it is.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { settingsChange, settingsSchema, type Settings } from '../contract/settings.ts';
import { ok, type Result } from '../contract/problem.ts';
import { move } from '../disk/patient.ts';
import { failFile, readOwn, writeFileAtomic } from './files.ts';

export interface SettingsStore {
  get(): Settings;
  set(change: Partial<Settings>): Promise<Result<Settings>>;
}

const someObject = z.record(z.string(), z.unknown());

interface Read {
  readonly settings: Settings;
  /** What the file says beside them, by name. */
  readonly unknown: Readonly<Record<string, unknown>>;
}

/** @throws where the text is no object at all */
const readText = (text: string | null): Read => {
  const told = Object.entries(someObject.parse(JSON.parse(text ?? '{}')));
  const known = ([name, value]: readonly [string, unknown]): boolean =>
    Object.hasOwn(settingsChange.shape, name) &&
    settingsChange.safeParse({ [name]: value }).success;
  const { known: ours = [], unknown = [] } = Object.groupBy(told, (one) =>
    known(one) ? 'known' : 'unknown',
  );
  return {
    settings: settingsSchema.parse(Object.fromEntries(ours)),
    unknown: Object.fromEntries(unknown),
  };
};

/** @throws {Unreadable} */
export const openSettings = async (
  folder: string,
  changed: (settings: Settings) => void,
): Promise<SettingsStore> => {
  const path = join(folder, 'settings.json');
  let { settings, unknown } = readText(null);
  const text = await readOwn(path);
  try {
    ({ settings, unknown } = readText(text));
  } catch {
    await move(path, `${path}.damaged`).catch(() => undefined);
  }
  let last: Promise<unknown> = Promise.resolve();

  const write = async (change: Partial<Settings>): Promise<Result<Settings>> => {
    const given = Object.fromEntries(
      Object.entries(change).filter(([, value]) => value !== undefined),
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
    changed(next);
    return ok(next);
  };

  return {
    get: () => settings,
    set: (change) => {
      const result = last.then(() => write(change));
      last = result;
      return result;
    },
  };
};
