/** The window's settings, kept in one small file. A damaged file is set aside and the defaults serve; one that cannot be read is left alone. */
import { join } from 'node:path';
import { settingsSchema, type Settings } from '../contract/settings.ts';
import { ok, type Result } from '../contract/problem.ts';
import { move } from '../disk/patient.ts';
import { failFile, readOwn, writeFileAtomic } from './files.ts';

export interface SettingsStore {
  get(): Settings;
  set(change: Partial<Settings>): Promise<Result<Settings>>;
}

/** @throws {Unreadable} */
export const openSettings = async (
  folder: string,
  changed: (settings: Settings) => void,
): Promise<SettingsStore> => {
  const path = join(folder, 'settings.json');
  let settings = settingsSchema.parse({});
  const text = await readOwn(path);
  try {
    settings = settingsSchema.parse(JSON.parse(text ?? '{}'));
  } catch {
    await move(path, `${path}.damaged`).catch(() => undefined);
  }
  let last: Promise<unknown> = Promise.resolve();

  const write = async (change: Partial<Settings>): Promise<Result<Settings>> => {
    const given = Object.fromEntries(
      Object.entries(change).filter(([, value]) => value !== undefined),
    );
    const next = settingsSchema.parse({ ...settings, ...given });
    try {
      await writeFileAtomic(path, JSON.stringify(next));
    } catch (error) {
      return failFile(error);
    }
    settings = next;
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
