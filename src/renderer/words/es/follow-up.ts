/** The follow-up of a near miss. */
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
  due_count: (n) => `Seguimientos, ${f.number(n)} para hoy o antes`,
  whose: 'De quién son',
  everybody: (n) => `De todos ${f.number(n)}`,
  mine: (n) => `Asignados a mí ${f.number(n)}`,
  none_mine: 'No tiene nada asignado',
  none_mine_text:
    'Un seguimiento es suyo si lleva su nombre, como lo escriben los demás, o su usuario.',
  you: 'Usted',
  nobody_here: 'Nadie de la empresa tiene este nombre. Se guarda como texto.',
  none: 'Ningún seguimiento abierto',
  none_text:
    'Agregue uno a un casi accidente: qué hay que hacer, quién y para cuándo. Se queda aquí hasta que esté hecho.',
  no_fields: 'Sin seguimientos en este proyecto',
  no_fields_text: 'Los formularios de la empresa no tienen campos para ellos.',
  open_now: (open, overdue) => `Seguimientos abiertos: ${counted(open, overdue)}`,
  open_then: (day, open, overdue) => `Seguimientos abiertos el ${day}: ${counted(open, overdue)}`,
  open_before: (open, overdue) => `Semana anterior: ${counted(open, overdue)}`,
  by_dates:
    'En semanas pasadas, Spotter usa las fechas de vencimiento y cierre de los casi accidentes reportados hasta entonces.',
  more: (n) => count(n, { one: '# más en la lista.', other: '# más en la lista.' }),
  not_done: (done) => `por hacer, ${f.number(done)} hechos`,
  later: 'Aún no vencen',
  in_time: 'Hechos a tiempo',
  late: 'Hechos tarde',
  ever: 'Desde siempre, no solo las semanas de arriba.',
  for_person: (name) => `Seguimiento a cargo de ${name}`,
  by: (day) => `para el ${day}`,
  standing: { open: 'Abierto', due: 'Vence hoy', overdue: 'Atrasado' },
  done_on: (day) => `Hecho el ${day}`,
  not_yours:
    'Lo reportó otra persona. El seguimiento es de quien figura en él y de quien asuma el turno del proyecto.',
  take_over: 'Asumir el turno',
  taken_over: (until) => `Ha asumido el turno hasta ${until}.`,
  save: 'Guardar',
  mark: 'Marcar como hecho',
  change: 'Cambiar',
  reopen: 'Reabrir',
  saved: 'Seguimiento guardado.',
  marked_done: 'Seguimiento hecho.',
  reopened: 'Seguimiento reabierto.',
  add_photo: 'Agregar una foto',
};
