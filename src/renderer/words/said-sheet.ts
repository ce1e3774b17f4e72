/** The words of the sheet "You said, we did" in every language, because the reader chooses one on the sheet. */
import type { Language } from '../../contract/languages.ts';
import { said_sheet as en } from './en/said-sheet.ts';
import { said_sheet as es } from './es/said-sheet.ts';
import { said_sheet as pl } from './pl/said-sheet.ts';

export const sheetWords: Readonly<Record<Language, typeof en>> = { en, es, pl };
