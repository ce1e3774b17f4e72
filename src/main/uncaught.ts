/**
 * Handles uncaught errors: notes them without user text and shows a dialog in our own words. Without a listener Electron shows
 * an English dialog with a stack trace and keeps running (lib/browser/init.ts).
 */
import { clipboard, dialog } from 'electron';
import type { CrashNote } from './self-test/crash-note.ts';
import type { Words } from './words/words.ts';

const textOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** @param quit ends the app in order; saved data is on the disk */
export function hearErrors(crashes: CrashNote, words: () => Words, quit: () => void): void {
  let asked = false;
  process.on('uncaughtException', (error) => {
    crashes.threw(error);
    // An error may repeat, so only one dialog is shown.
    if (asked) return;
    asked = true;
    const t = words().uncaught;
    const buttons = [t.quit, t.copy];
    void dialog
      .showMessageBox({
        type: 'error',
        message: t.message,
        detail: t.detail,
        buttons,
        noLink: true,
      })
      .then(async ({ response }) => {
        if (response === 1) await clipboard.writeText(textOf(error));
        quit();
      });
  });
  process.on('unhandledRejection', (reason) => {
    crashes.threw(reason);
    console.error(textOf(reason));
  });
}
