/** Builds what the shell under test runs from. */
import { join } from 'node:path';
import type { FullConfig } from 'playwright/test';
import { runQuietly } from '../../src/setup/system.ts';
import { bringWindow } from '../../src/setup/window.ts';

const root = join(import.meta.dirname, '../..');

const globalSetup = async (config: FullConfig): Promise<void> => {
  if (config.projects.some(({ name }) => name === 'electron')) {
    const cli = join(root, 'node_modules/electron-vite/bin/electron-vite.js');
    const built = await runQuietly(process.execPath, [cli, 'build']);
    if (built.status !== 0) throw new Error(built.output);
  } else await bringWindow(root, console.log);
};

// Playwright loads a global setup by its default export and by nothing else.
// eslint-disable-next-line no-restricted-syntax
export default globalSetup;
