/**
 * `node --import …/register.ts out/main/index.js`: replaces `electron` with the stand-in (module.ts) and makes the process look
 * like Electron's main process where the app checks it.
 */
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';

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

// docs/api/process.md: process.type is 'browser' in the main process; process.versions.electron is the version. On Windows
// os.tmpdir() reads TEMP.
process.env['TEMP'] ??= tmpdir();
// A test may choose the platform whose behaviour the app shows.
define('platform', process.env['STAND_IN_PLATFORM'] ?? process.platform);
define('type', 'browser');
define('versions', Object.freeze({ ...process.versions, electron: '44.11.4' }));
// lib/browser/init.ts: the command line names the app's folder, not its entry file.
process.argv[1] = process.env['STAND_IN_ROOT'] ?? process.argv[1] ?? '';
