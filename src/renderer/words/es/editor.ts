/** The text editor. */
import type { Words } from '../shape.ts';

export const editor: Words['editor'] = {
  toolbar: 'Formato',
  start: 'Dar formato al texto',
  bold: 'Negrita',
  italic: 'Cursiva',
  underline: 'Subrayado',
  strike: 'Tachado',
  bullets: 'Lista',
  numbers: 'Lista numerada',
  heading: 'Encabezado',
  quote: 'Cita',
  undo: 'Deshacer',
  redo: 'Rehacer',
  link: 'Enlace',
  link_address: 'Dirección del enlace',
  link_set: 'Poner el enlace',
  link_remove: 'Quitar el enlace',
  link_bad: 'Un enlace empieza con https://, http://, mailto: o tel:.',
  loading: 'Abriendo el editor…',
  failed: 'No se pudo abrir el editor. Su texto está a salvo. Cancele y reintente.',
};
