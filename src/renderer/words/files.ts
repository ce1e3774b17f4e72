/** File names inside an export, in the window's language. Loaded with the export. */
import type { Language } from '../../contract/languages.ts';
import { files as en } from './en/files.ts';
import { files as es } from './es/files.ts';
import { files as pl } from './pl/files.ts';
import { spoken } from './words.ts';

const names: Readonly<Record<Language, typeof en>> = { en, es, pl };

export const fileNames = (): typeof en => names[spoken];
