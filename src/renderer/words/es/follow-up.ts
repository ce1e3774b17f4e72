/** What has to be done after a near miss. */
import type { Words } from '../shape.ts';
import { count, f } from './say.ts';

const counted = (open: number, overdue: number): string =>
  overdue === 0 ? f.number(open) : `${f.number(open)}, ${f.number(overdue)} atrasados`;

export const follow_up: Words['follow_up'] = {
  title: 'Seguimiento',
  add: 'Agregar un seguimiento',
  what: '¿Qué hay que hacer?',
  who: '¿Quién lo hace?',
  due: '¿Para cuándo?',
  filters: { open: 'Abierto', due: 'Para hoy o antes' },
  open: (n) => `Abiertos ${f.number(n)}`,
  due_now: (n) => `Para hoy o antes ${f.number(n)}`,
  due_word: 'para hoy o antes',
  show_due: (n) =>
    count(n, {
      one: '# seguimiento para hoy o antes. Verlo',
      other: '# seguimientos para hoy o antes. Verlos',
    }),
  open_now: (open, overdue) => `Seguimientos abiertos: ${counted(open, overdue)}`,
  open_then: (day, open, overdue) => `Seguimientos abiertos el ${day}: ${counted(open, overdue)}`,
  open_before: (open, overdue) => `Semana anterior: ${counted(open, overdue)}`,
  by_dates:
    'Semanas pasadas: según las fechas de vencimiento y cierre, de los casi accidentes reportados hasta entonces.',
  more: (n) => count(n, { one: '# más en la lista.', other: '# más en la lista.' }),
  not_done: (done) => `por hacer, ${f.number(done)} hechos`,
  later: 'Aún no vencen',
  in_time: 'Hechos a tiempo',
  late: 'Hechos tarde',
  ever: 'Cuenta todos los casi accidentes, no solo las semanas elegidas arriba.',
  by: (day) => `para el ${day}`,
  standing: { open: 'Abierto', due: 'Vence hoy', overdue: 'Atrasado' },
  done_on: (day) => `Hecho el ${day}`,
  save: 'Guardar',
  mark: 'Marcar como hecho',
  change: 'Cambiar',
  reopen: 'Reabrir',
  saved: 'Seguimiento guardado.',
  marked_done: 'Seguimiento hecho.',
  reopened: 'Seguimiento reabierto.',
  add_photo: 'Agregar una foto',
};
