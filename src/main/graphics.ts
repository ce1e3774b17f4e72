/**
 * Turns hardware graphics off for drivers that leave the window white, black or flickering. Spotter offers it when the GPU
 * process keeps crashing. Electron accepts the choice only before it is ready, so this file reads the settings before the host
 * opens them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, dialog } from 'electron';
import { z } from 'zod';
import type { Words } from './words/words.ts';

const file = z.object({ hardware_graphics: z.boolean() });

/** @returns false when the user turned it off; true when the file is missing or damaged */
function drawsByHardware(data_dir: string): boolean {
  try {
    const text = readFileSync(join(data_dir, 'settings.json'), 'utf8');
    return file.safeParse(JSON.parse(text)).data?.hardware_graphics ?? true;
  } catch {
    return true;
  }
}

/** Must run before Electron is ready. */
export function chooseGraphics(data_dir: string): void {
  if (!drawsByHardware(data_dir)) app.disableHardwareAcceleration();
}

/** @returns true to turn hardware graphics off, which needs a restart */
export async function askGraphics(words: Words): Promise<boolean> {
  const t = words.graphics;
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    message: t.message,
    detail: t.detail,
    buttons: [t.turn_off, t.keep],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
}
