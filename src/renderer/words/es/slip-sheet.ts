/** The slip for somebody who stays unnamed, in the language chosen for its reader. */
import type { slip_sheet as english } from '../en/slip-sheet.ts';

export const slip_sheet: typeof english = {
  title: '¿Qué pasó con el reporte?',
  how: 'Dé estas seis letras a un supervisor o en la oficina de la obra, o que lo haga un compañero. En el menú de los casi accidentes eligen «Respuesta para un código» y le lee qué se hizo.',
  unnamed: 'No tiene que decir quién es. Ni este papel ni su código dicen su nombre.',
};
