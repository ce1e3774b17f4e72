/** Builds the window where out/ is stale. What Electron runs from is built by `npm run test:electron` itself. */
import { join } from 'node:path';
import { bringWindow } from '../../src/setup/window.ts';

const globalSetup = (): Promise<void> =>
  bringWindow(join(import.meta.dirname, '../..'), console.log);

// Playwright loads a global setup by its default export and by nothing else.
// eslint-disable-next-line no-restricted-syntax
export default globalSetup;
