/** File names inside an export, in the window's language. Loaded with the export. */
import { files as en } from './en/files.ts';
import { files as es } from './es/files.ts';
import { spoken } from './words.ts';

export const fileNames = (): typeof en => ({ en, es })[spoken];
