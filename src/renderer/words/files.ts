/** What the files of an export are called in the language of the window: loaded with what makes one. */
import { files as en } from './en/files.ts';
import { files as es } from './es/files.ts';
import { spoken } from './words.ts';

export const fileNames = (): typeof en => ({ en, es })[spoken];
