/** Shows every system dialog of the shell: what happened, what is safe, what can be done. */
import { app, type BrowserWindow, dialog, shell } from 'electron';
import { startAgain } from '../ending.ts';
import type { CannotRun } from '../start-problem.ts';
import type { Words } from '../words/words.ts';
import { sayUp } from '../up.ts';

/** Says why Spotter cannot start or has stopped, then ends or restarts. Users who start it by an icon never see stderr. */
export const tellCannotRun = async (
  { kind, detail }: CannotRun,
  words: Words,
  log: (text: string) => void,
): Promise<void> => {
  log(detail);
  await app.whenReady();
  const t = words.cannot_run;
  const { what, safe, todo } = t[kind];
  sayUp();
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: kind === 'lost_folder' ? t.stopped : t.title,
    message: what,
    detail: `${safe}\n${todo}\n\n${detail}`,
    buttons: [t.again, t.quit],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  });
  if (response === 0) startAgain();
  app.exit(1);
};

export interface Chosen {
  readonly answer: 'keep_sending' | 'end' | 'cancel';
  readonly remember: boolean;
}

/** Asks what closing the window should do while records wait. */
export const askClosing = async (
  window: BrowserWindow,
  waiting: number,
  words: Words,
): Promise<Chosen> => {
  const t = words.closing;
  const answers = ['keep_sending', 'end', 'cancel'] as const;
  const { response, checkboxChecked } = await dialog.showMessageBox(window, {
    type: 'question',
    message: t.message(waiting),
    detail: t.detail,
    buttons: answers.map((answer) => t[answer]),
    defaultId: 0,
    cancelId: 2,
    checkboxLabel: t.remember,
    noLink: true,
  });
  return { answer: answers[response] ?? 'cancel', remember: checkboxChecked };
};

/** Asks before the window closes while files are being copied. True: close. */
export const askCopying = async (window: BrowserWindow, words: Words): Promise<boolean> => {
  const t = words.closing;
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    message: t.copying,
    detail: t.copying_detail,
    buttons: [t.stay, t.close_anyway],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  return response === 1;
};

export const askHanging = async (
  window: BrowserWindow,
  words: Words,
  signal: AbortSignal,
): Promise<'wait' | 'again'> => {
  const t = words.hangs;
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    message: t.message,
    detail: t.detail,
    buttons: [t.wait, t.again],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
    signal,
  });
  return response === 1 ? 'again' : 'wait';
};

/** Asks what to do after the page crashed too often. False: quit the app. */
export const askStopped = async (
  window: BrowserWindow,
  words: Words,
  folder: string,
): Promise<boolean> => {
  const t = words.stopped;
  for (;;) {
    const { response } = await dialog.showMessageBox(window, {
      type: 'error',
      message: t.message,
      detail: `${t.detail}\n\n${folder}`,
      buttons: [t.again, t.folder, t.quit],
      defaultId: 0,
      cancelId: 2,
      noLink: true,
    });
    if (response !== 1) return response === 0;
    await shell.openPath(folder);
  }
};
