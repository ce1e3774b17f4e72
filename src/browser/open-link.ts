/**
 * Opens a link in the system's browser, mail or phone program. The window's own browser has a separate profile and reaches
 * nothing but Spotter (app-window.ts). No shell is involved: the program receives the link as a single argument.
 */
import { spawn } from 'node:child_process';

const programs: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32.exe', 'url.dll,FileProtocolHandler'],
};

/** A program that has not failed by then has opened the link, in milliseconds. Some run until their browser ends. */
const TAKEN_AFTER = 3_000;

/** @param href checked by the host (contract/text/rich-text.ts) */
export const openLink = (href: string): Promise<boolean> => {
  const [program = '', ...args] = programs[process.platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(program, [...args, href], {
      stdio: 'ignore',
      detached: true,
      shell: false,
    });
    const taken = setTimeout(() => resolve(true), TAKEN_AFTER);
    const end = (opened: boolean): void => {
      clearTimeout(taken);
      resolve(opened);
    };
    child.once('error', () => end(false));
    child.once('exit', (status) => end(status === 0));
    child.unref();
  });
};
