/**
 * `node --import …/register.ts out/main/index.js`: from here on `electron` is the stand-in (module.ts), and the process looks as
 * Electron's main process does where the app looks at it.
 */
import { registerHooks } from 'node:module';

const standIn = new URL('./module.ts', import.meta.url).href;
registerHooks({
  resolve(specifier, context, next) {
    // electron.d.ts: `declare module 'electron'` and `'electron/main'` are the same module in the main process.
    if (specifier === 'electron' || specifier === 'electron/main')
      return { url: standIn, shortCircuit: true };
    return next(specifier, context);
  },
});

const define = (name: string, value: unknown): void =>
  void Object.defineProperty(process, name, { value, enumerable: true });

// docs/api/process.md: process.type is 'browser' in the main process; process.versions.electron names the version.
define('type', 'browser');
define('versions', Object.freeze({ ...process.versions, electron: '44.11.4' }));
// lib/browser/init.ts: the app's folder, not its entry, is what was named on the command line.
process.argv[1] = process.env['STAND_IN_ROOT'] ?? process.argv[1] ?? '';
