/** Builds the window if out/ is stale. `npm run test:electron` builds what Electron runs. */
import { join } from 'node:path';
import { bringWindow } from '../../src/setup/window/window.ts';

const globalSetup = (): Promise<void> =>
  bringWindow(join(import.meta.dirname, '../..'), console.log);

// Playwright accepts a global setup only as a default export.
// eslint-disable-next-line no-restricted-syntax
export default globalSetup;
