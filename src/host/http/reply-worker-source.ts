/**
 * URL of reply-worker.ts when Node runs the program. Kept in a separate file because Electron's bundle supplies a different
 * URL.
 */
import { pathToFileURL } from 'node:url';
import { ownProgram } from '../../disk/own-program.ts';

export const REPLY_WORKER = pathToFileURL(ownProgram('reply-worker', import.meta.url));
