/** Members of a project: who is in, who comes and goes. */
import type { Words } from '../shape.ts';
import { count, f } from './say.ts';

const people = (n: number): string => count(n, { one: '# miembro', other: '# miembros' });

export const members: Words['members'] = {
  title: 'Miembros',
  list: 'Miembros del proyecto',
  find: 'Buscar un miembro',
  people,
  counted: (n, coming, going) =>
    [
      people(n),
      ...(coming > 0 ? [count(coming, { one: '# por agregar', other: '# por agregar' })] : []),
      ...(going > 0 ? [count(going, { one: '# por quitar', other: '# por quitar' })] : []),
    ].join(' · '),
  party: (id) => `Parte ${id}`,
  number: (id) => `Número ${id}`,
  none_found: 'Ningún miembro se llama así',
  none_found_text: 'Se busca cada parte del nombre, y los números.',
  show_all: 'Ver todos',
  empty: 'Este proyecto todavía no tiene miembros',
  empty_text: 'Agregue personas de la empresa: también se puede sin red.',
  offline: 'Puede agregar y quitar personas. Los cambios se enviarán cuando haya conexión.',
  offline_nothing:
    'Los miembros de este proyecto se descargarán cuando haya conexión. Ya puede agregar personas.',
  who_may_see: 'De los miembros se encarga quien lleva el proyecto. Pídale acceso.',
  remove_refused: (n) =>
    count(n, {
      one: 'No se aceptó quitarlo: sigue siendo miembro',
      other: 'No se aceptó quitar a # personas: siguen siendo miembros',
    }),
  remove_aside: (n) =>
    count(n, {
      one: 'Quitarlo quedó apartado: sigue siendo miembro',
      other: 'Quitar a # personas quedó apartado: siguen siendo miembros',
    }),
  add_refused: (n) =>
    count(n, { one: 'No se aceptó agregarlo', other: 'No se aceptó agregar a # personas' }),
  add_aside: (n) =>
    count(n, { one: 'Agregarlo quedó apartado', other: 'Agregar a # personas quedó apartado' }),
  reference: 'sin usuario propio',
  own_login: 'tiene usuario propio o proveedor: se cambia en otro lugar',
  unlisted: 'ya no está en la lista de la empresa',
  in: 'Miembro',
  coming: 'Por agregar',
  going: 'Por quitar',
  add: 'Agregar miembros',
  add_text:
    'Personas de la empresa sin usuario propio (usuarios de referencia) que aún no son miembros. Se pueden elegir varias.',
  add_find: 'Buscar una persona',
  add_numbers: 'Números de las partes',
  add_numbers_hint:
    'Este servidor no ofrece la lista de personas: escriba sus números, separados por comas o espacios.',
  add_bad_numbers: 'Solo números, separados por comas o espacios.',
  nobody_left: 'Todas las personas de la empresa que se pueden agregar aquí ya son miembros.',
  more_found: (n) =>
    count(n, {
      one: '# más: escriba para encontrarlo.',
      other: '# más: escriba para encontrarlos.',
    }),
  nobody_found: 'Nadie se llama así.',
  add_go: (n) =>
    n === 0 ? 'Agregar' : count(n, { one: 'Agregar # persona', other: 'Agregar # personas' }),
  added: (n) =>
    count(n, {
      one: 'Guardado en esta laptop. # persona se agregará cuando haya conexión.',
      other: 'Guardado en esta laptop. # personas se agregarán cuando haya conexión.',
    }),
  select: (name) => `Seleccionar ${name}`,
  select_all: 'Seleccionar todos los que se pueden quitar',
  selected: (n) => count(n, { one: '# seleccionado', other: '# seleccionados' }),
  clear: 'Borrar la selección',
  remove: (n) => count(n, { one: 'Quitar # miembro', other: 'Quitar # miembros' }),
  remove_one: (name) => `Quitar ${name}`,
  remove_title: (n) =>
    count(n, {
      one: '¿Quitar # miembro del proyecto?',
      other: '¿Quitar # miembros del proyecto?',
    }),
  remove_text: 'Ya no verán el proyecto. Se pueden agregar de nuevo.',
  remove_many: (n, max) =>
    `En una solicitud se quitan ${f.number(max)} cuando mucho: estos van en ${f.number(n)} solicitudes.`,
  remove_go: 'Quitar',
  removed: (n) =>
    count(n, {
      one: 'Guardado en esta laptop. # miembro se quitará cuando haya conexión.',
      other: 'Guardado en esta laptop. # miembros se quitarán cuando haya conexión.',
    }),
  take_back: (name) => `Cancelar el envío: ${name}`,
  taken_back: 'Envío cancelado.',
  too_late: 'Tal vez el servidor ya lo tiene.',
  show_more: (n) => `Mostrar ${f.number(n)} más`,
  waiting_title: 'Miembros del proyecto',
  about_people: (n) => count(n, { one: '# persona', other: '# personas' }),
  who_may:
    'De los miembros se encarga quien lleva el proyecto. Pídale que lo haga o que le dé acceso; después envíelo de nuevo, o retírelo.',
  outcome: {
    removed: 'Qué pasó al quitar',
    added: 'Qué pasó al agregar',
    removed_done: (n) => count(n, { one: 'Se quitó # miembro.', other: 'Se quitaron # miembros.' }),
    added_done: (n) => count(n, { one: 'Se agregó # persona.', other: 'Se agregaron # personas.' }),
    skipped: (n) =>
      count(n, {
        one: 'Se omitió #: ya no es miembro o no es usuario de referencia:',
        other: 'Se omitieron #: ya no son miembros o no son usuarios de referencia:',
      }),
    already: (n) => count(n, { one: '# ya era miembro:', other: '# ya eran miembros:' }),
    and_more: (n) => `y ${f.number(n)} más`,
    dismiss: 'Quitar de la vista',
  },
};
