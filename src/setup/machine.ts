/** Questions about the machine, shared by a start from the sources (start.ts) and from the npm package (src/browser/npx.ts). */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';

export const hasDisplay = (): boolean =>
  process.platform !== 'linux' ||
  Boolean(process.env['DISPLAY'] ?? '') ||
  Boolean(process.env['WAYLAND_DISPLAY'] ?? '');

/** Creates and returns the data folder, which is the same for every shell (commands.md). */
export const dataFolder = async (wanted: string | undefined): Promise<string> => {
  const { default: paths } = await import('env-paths');
  const folder = resolve(wanted ?? paths('spotter', { suffix: '' }).data);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
};
