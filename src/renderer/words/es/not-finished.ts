/** Unfinished work: drafts and unsaved changes of all projects. */
import type { Words } from '../shape.ts';
import { count } from './say.ts';

export const not_finished: Words['not_finished'] = {
  title: 'Sin terminar',
  text: 'A salvo en esta laptop. Nadie más lo ve hasta que usted lo guarde.',
  in_bin: 'Su reporte está en la papelera. Restáurelo para continuar.',
  bin: 'Papelera',
  discard_title: '¿Descartar sus cambios?',
  discard_text: 'El reporte queda como estaba antes de sus cambios.',
  discarded: 'Cambios descartados.',
  stays: (n) =>
    count(n, {
      one: '# borrador se queda en esta laptop, solo para usted.',
      other: '# borradores se quedan en esta laptop, solo para usted.',
    }),
};
