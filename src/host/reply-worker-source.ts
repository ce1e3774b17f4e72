/** Where reply-worker.ts is where Node runs the program. A file of its own: Electron's bundle names it itself. */
import { pathToFileURL } from 'node:url';
import { ownProgram } from '../disk/own-program.ts';

export const REPLY_WORKER = pathToFileURL(ownProgram('reply-worker', import.meta.url));
