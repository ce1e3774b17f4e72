/** The words of the slip for somebody who stays unnamed in every language, because the language is chosen for its reader. */
import type { Language } from '../../contract/languages.ts';
import { slip_sheet as en } from './en/slip-sheet.ts';
import { slip_sheet as es } from './es/slip-sheet.ts';
import { slip_sheet as pl } from './pl/slip-sheet.ts';

export const slipWords: Readonly<Record<Language, typeof en>> = { en, es, pl };
