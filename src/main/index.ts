/**
 * The Electron shell's entry: what must be said before Electron is ready, and then one start (shell.ts) or one sentence why there is none.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { app, session } from 'electron';
import { sayAppId } from './app-id.ts';
import { readArguments } from './arguments.ts';
import { tellCannotRun } from './dialogs.ts';
import { hearOpened } from './opened.ts';
import { closePermissions } from './permissions.ts';
import { declareProtocol, serveWindow } from './protocol.ts';
import { runShell } from './run.ts';
import { selfTestFolder, tellNoStart } from './self-test-run.ts';
import { type CannotRun, missingPart, prepareFolder, profileOf } from './start-problem.ts';
import { outliveStarter } from './up.ts';
import { closeDoors } from './window.ts';
import { wordsFor } from './words/words.ts';

outliveStarter();
const out = join(import.meta.dirname, '..');
const log = (text: string): void => console.error(text);
const asked = readArguments(process.argv, process.cwd());
const opened = hearOpened(app);
const given = asked.self_test === null ? asked : { ...asked, data_dir: selfTestFolder() };

const cannot = async (problem: CannotRun): Promise<void> => {
  if (given.self_test !== null) return tellNoStart(given.self_test, problem.detail);
  await tellCannotRun(problem, wordsFor('system', app.getPreferredSystemLanguages()), log);
};

const start = async (): Promise<void> => {
  await app.whenReady();
  // An AppImage starts itself so where the system closes user namespaces: nothing would hold the window that shows other people's files.
  if (app.commandLine.hasSwitch('no-sandbox'))
    return cannot({ kind: 'no_sandbox', detail: 'It was started with --no-sandbox.' });
  const missing = missingPart(out);
  if (missing !== null) return cannot(missing);
  closePermissions(session.defaultSession);
  serveWindow(session.defaultSession, join(out, 'renderer'));
  const problem = await runShell({ ...given, out, log, cannot, events: opened });
  if (problem !== null) await cannot(problem);
};

const unusable = prepareFolder(given.data_dir);
// Beside the queue, so that another data folder is another app, with a lock and a window store of its own.
app.setPath(
  'userData',
  unusable === null ? profileOf(given.data_dir) : mkdtempSync(join(tmpdir(), 'spotter-')),
);
sayAppId(app);
app.enableSandbox();
declareProtocol();
closeDoors();
const failed = (error: unknown): Promise<void> =>
  cannot({ kind: 'damaged', detail: error instanceof Error ? error.message : String(error) });
if (unusable !== null) void cannot(unusable);
else if (app.requestSingleInstanceLock()) start().catch(failed);
else app.quit();
