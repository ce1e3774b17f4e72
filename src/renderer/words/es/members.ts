/** Members of a project. */
import type { Words } from '../shape.ts';
import { count, f } from './say.ts';
import { places } from './places.ts';

const people = (n: number): string => count(n, { one: '# miembro', other: '# miembros' });

export const members: Words['members'] = {
  title: places.members,
  list: 'Miembros del proyecto',
  find: 'Buscar un miembro',
  people,
  counted: (n, coming, going) =>
    [
      people(n),
      ...(coming > 0 ? [count(coming, { one: '# por agregar', other: '# por agregar' })] : []),
      ...(going > 0 ? [count(going, { one: '# por quitar', other: '# por quitar' })] : []),
    ].join(' · '),
  party: (id) => `Contacto ${id}`,
  number: (id) => `Número ${id}`,
  none_found: 'Nada coincide',
  none_found_text: 'Puede buscar por cualquier parte del nombre o por número.',
  show_all: 'Ver todos',
  empty: 'Este proyecto todavía no tiene miembros',
  empty_text: 'Agregue personas de la empresa. Funciona sin red.',
  offline: 'Puede agregar y quitar personas. Los cambios se enviarán cuando haya conexión.',
  offline_nothing: 'Los miembros se descargarán cuando haya conexión. Ya puede agregar personas.',
  who_may_see: 'Pida acceso a los miembros al administrador del proyecto.',
  remove_refused: (n) =>
    count(n, {
      one: 'No se pudo quitar: sigue siendo miembro',
      other: 'No se pudo quitar a # personas: siguen siendo miembros',
    }),
  remove_aside: (n) =>
    count(n, {
      one: 'Se puso en pausa: sigue siendo miembro',
      other: 'Quitar a # personas está en pausa: siguen siendo miembros',
    }),
  add_refused: (n) =>
    count(n, { one: 'No se pudo agregar', other: 'No se pudo agregar a # personas' }),
  add_aside: (n) =>
    count(n, { one: 'Se puso en pausa', other: 'Agregar a # personas está en pausa' }),
  reference: 'sin usuario',
  own_login: 'lo administra su oficina',
  unlisted: 'Ya no está en las listas de su empresa',
  in: 'Miembro',
  coming: 'Por agregar',
  going: 'Por quitar',
  add: 'Agregar miembros',
  add_text: 'Personas de su empresa que todavía no están en este proyecto.',
  add_find: 'Buscar una persona',
  add_numbers: 'Números de las personas',
  add_numbers_hint:
    'Este servidor no tiene una lista de personas. Escriba sus números, separados por comas o espacios.',
  add_bad_numbers: 'Solo números, separados por comas o espacios.',
  nobody_left: 'Todas las personas que se pueden agregar ya son miembros.',
  more_found: (n) =>
    count(n, {
      one: '# más. Escriba para encontrarla.',
      other: '# más. Escriba para encontrarlas.',
    }),
  nobody_found: 'Nada coincide.',
  add_go: (n) =>
    n === 0 ? 'Agregar' : count(n, { one: 'Agregar # persona', other: 'Agregar # personas' }),
  added: (n) =>
    count(n, {
      one: '# persona agregada.',
      other: '# personas agregadas.',
    }),
  select: (name) => `Seleccionar ${name}`,
  select_all: 'Seleccionar todos',
  selected: (n) => count(n, { one: '# seleccionado', other: '# seleccionados' }),
  clear: 'Borrar la selección',
  remove: (n) => count(n, { one: 'Quitar # miembro', other: 'Quitar # miembros' }),
  remove_one: (name) => `Quitar ${name}`,
  remove_title: (n) =>
    count(n, {
      one: '¿Quitar # miembro del proyecto?',
      other: '¿Quitar # miembros del proyecto?',
    }),
  remove_text: 'Ya no aparecerán en este proyecto. Puede agregarlos de nuevo.',
  remove_many: (n, max) =>
    `El servidor quita como máximo ${f.number(max)} a la vez, así que Spotter lo envía en ${f.number(n)} partes.`,
  remove_go: 'Quitar',
  removed: (n) =>
    count(n, {
      one: '# miembro quitado.',
      other: '# miembros quitados.',
    }),
  take_back: (name) => `Cancelar el envío: ${name}`,
  taken_back: 'Envío cancelado.',
  too_late: 'Tal vez el servidor ya lo hizo.',
  show_more: (n) => `Mostrar ${f.number(n)} más`,
  waiting_title: 'Miembros del proyecto',
  about_people: (n) => count(n, { one: '# persona', other: '# personas' }),
  who_may:
    'Pida al administrador del proyecto que lo haga o que le dé acceso. Después envíelo de nuevo o cancele el envío.',
  outcome: {
    removed_done: (n) => count(n, { one: '# miembro quitado.', other: '# miembros quitados.' }),
    added_done: (n) => count(n, { one: '# persona agregada.', other: '# personas agregadas.' }),
    skipped: (n) =>
      count(n, {
        one: 'Se omitió # (ya no es miembro, o tiene usuario):',
        other: 'Se omitieron # (ya no son miembros, o tienen usuario):',
      }),
    already: (n) => count(n, { one: '# ya era miembro:', other: '# ya eran miembros:' }),
    and_more: (n) => `y ${f.number(n)} más`,
    dismiss: 'Ocultar',
  },
};
