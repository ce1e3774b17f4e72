/** What a start asks of the machine, from the sources (start.ts) and as an npm package (src/browser/npx.ts) alike. */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';

export const hasDisplay = (): boolean =>
  process.platform !== 'linux' ||
  Boolean(process.env['DISPLAY'] ?? '') ||
  Boolean(process.env['WAYLAND_DISPLAY'] ?? '');

/** One per system, whatever started Spotter (README's table). */
export const dataFolder = async (wanted: string | undefined): Promise<string> => {
  const { default: paths } = await import('env-paths');
  const folder = resolve(wanted ?? paths('spotter', { suffix: '' }).data);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
};
