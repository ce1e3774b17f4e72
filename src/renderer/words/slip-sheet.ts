/** The words of the slip for somebody who stays unnamed in every language, because the language is chosen for its reader. */
import { slip_sheet as en } from './en/slip-sheet.ts';
import { slip_sheet as es } from './es/slip-sheet.ts';

export const slipWords: Readonly<Record<'en' | 'es', typeof en>> = { en, es };
