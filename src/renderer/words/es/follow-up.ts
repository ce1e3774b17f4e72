/** What has to be done after a near miss. */
import type { Words } from '../shape.ts';
import { count, f } from './say.ts';

export const follow_up: Words['follow_up'] = {
  title: 'Seguimiento',
  add: 'Agregar un seguimiento',
  what: '¿Qué falta hacer?',
  who: '¿Quién lo hace?',
  due: '¿Para cuándo?',
  filters: { open: 'Pendiente', due: 'Vencido' },
  open: (n) => `Pendientes ${f.number(n)}`,
  due_now: (n) => `Vencidos ${f.number(n)}`,
  due_word: 'por atender',
  show_due: (n) =>
    count(n, { one: '# seguimiento vencido. Verlo', other: '# seguimientos vencidos. Verlos' }),
  open_now: (open, overdue) =>
    overdue === 0
      ? `Seguimientos pendientes: ${f.number(open)}`
      : `Seguimientos pendientes: ${f.number(open)}, ${f.number(overdue)} atrasados`,
  more: (n) => count(n, { one: '# más está en la lista.', other: '# más están en la lista.' }),
  not_done: (done) => `por hacer, ${f.number(done)} hechos`,
  later: 'Aún no vencen',
  in_time: 'Hechos a tiempo',
  late: 'Hechos tarde',
  ever: 'De todos los casi accidentes, sin importar el periodo elegido arriba.',
  by: (day) => `para el ${day}`,
  standing: { open: 'Pendiente', due: 'Vence hoy', overdue: 'Atrasado' },
  done_on: (day) => `Hecho el ${day}`,
  save: 'Guardar',
  mark: 'Marcar como hecho',
  change: 'Cambiar',
  reopen: 'Volver a abrir',
  saved: 'Seguimiento guardado.',
  marked_done: 'Seguimiento hecho.',
  reopened: 'Seguimiento abierto otra vez.',
  add_photo: 'Agregar una foto',
};
