/** The sheet "You said, we did" itself, in the language chosen on it. */
import type { said_sheet as english } from '../en/said-sheet.ts';
import { f } from './say.ts';

export const said_sheet: typeof english = {
  title: 'Ustedes dijeron, nosotros hicimos',
  days: (from, to) => `${f.day_month(from)} a ${f.day(to)}`,
  said: 'Ustedes dijeron',
  did: 'Nosotros hicimos',
  before: 'Antes',
  after: 'Después',
  somebody: '[nombre]',
  foot: 'Gracias por avisar. Aquí no se nombra a nadie. Sigan avisándonos.',
};
