/**
 * Hands a link to the system's own browser, mail or phone program. The window's browser has a profile of its own and reaches
 * nothing but Spotter (app-window.ts). No shell is between: what the program is given is one argument.
 */
import { spawn } from 'node:child_process';

const programs: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32.exe', 'url.dll,FileProtocolHandler'],
};

/** A program that did not fail by then has taken the link; some end with the browser they began, milliseconds. */
const TAKEN_AFTER = 3_000;

/** @param href judged by the host (contract/rich-text.ts) */
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
