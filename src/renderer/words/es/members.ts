/** Members of a project: who is in, who comes and goes. */
import type { Words } from '../words.ts';
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
  number: (id) => `número ${id}`,
  none_found: 'Ningún miembro se llama así.',
  empty: 'Sin miembros conocidos',
  empty_text: 'Con la próxima conexión se traen los miembros de este proyecto.',
  refresh_failed: 'No se pudo traer lo más nuevo. Esto es lo que sabe esta laptop.',
  reference: 'Usuario de referencia',
  own_login: 'Tiene sesión propia o proveedor: se agrega y se quita en otro lugar',
  in: 'Miembro',
  coming: 'Por agregar',
  going: 'Por quitar',
  add: 'Agregar miembros',
  add_text:
    'Usuarios de referencia de la empresa que aún no son miembros. Se pueden elegir varios.',
  add_find: 'Buscar una persona',
  add_numbers: 'Números de las partes',
  add_numbers_hint:
    'Este servidor no ofrece la lista de personas: escriba sus números, separados por comas o espacios.',
  add_bad_numbers: 'Solo números, separados por comas o espacios.',
  nobody_left: 'Todos los usuarios de referencia de la empresa ya son miembros.',
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
      one: 'Guardado en esta laptop. # persona se agrega con la próxima conexión.',
      other: 'Guardado en esta laptop. # personas se agregan con la próxima conexión.',
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
      one: 'Guardado en esta laptop. # miembro se quita con la próxima conexión.',
      other: 'Guardado en esta laptop. # miembros se quitan con la próxima conexión.',
    }),
  take_back: (name) => `Retirar: ${name}`,
  taken_back: 'Retirado.',
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
