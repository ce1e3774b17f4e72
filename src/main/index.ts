/**
 * Entry of the Electron shell. Makes the settings that Electron accepts only before it is ready, then starts one run (run.ts)
 * or shows why it cannot start.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { app, crashReporter, session } from 'electron';
import { sayAppId } from './system/app-id.ts';
import { readArguments } from './arguments.ts';
import { tellCannotRun } from './window/dialogs.ts';
import { chooseGraphics } from './graphics.ts';
import { hearOpened } from './system/opened.ts';
import { closePermissions } from './window/permissions.ts';
import { declareProtocol, serveWindow } from './window/protocol.ts';
import { runShell } from './run.ts';
import { selfTestFolder, reportNoStart } from './self-test/self-test-run.ts';
import { type CannotRun, missingPart, prepareFolder, profileOf } from './start-problem.ts';
import { outliveStarter } from './up.ts';
import { closeDoors } from './window/window.ts';
import { wordsFor } from './words/words.ts';

outliveStarter();
const out = join(import.meta.dirname, '..');
const log = (text: string): void => console.error(text);
const asked = readArguments(process.argv, process.cwd());
const opened = hearOpened(app);
const given = asked.self_test === null ? asked : { ...asked, data_dir: selfTestFolder() };

const cannot = async (problem: CannotRun): Promise<void> => {
  if (given.self_test !== null) return reportNoStart(given.self_test, problem.detail);
  await tellCannotRun(problem, wordsFor('system', app.getPreferredSystemLanguages()), log);
};

const start = async (): Promise<void> => {
  await app.whenReady();
  // An AppImage adds this switch when the system forbids user namespaces. Without a sandbox nothing would confine the window,
  // which shows files from other people.
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
// The profile lies beside the queue, so each data folder has a separate lock and window database.
app.setPath(
  'userData',
  unusable === null ? profileOf(given.data_dir) : mkdtempSync(join(tmpdir(), 'spotter-')),
);
sayAppId(app);
// Native crash dumps stay in the profile and are never uploaded.
crashReporter.start({ uploadToServer: false });
app.enableSandbox();
chooseGraphics(given.data_dir);
declareProtocol();
closeDoors();
const failed = (error: unknown): Promise<void> =>
  cannot({ kind: 'damaged', detail: error instanceof Error ? error.message : String(error) });
if (unusable !== null) void cannot(unusable);
else if (app.requestSingleInstanceLock()) start().catch(failed);
else app.quit();
