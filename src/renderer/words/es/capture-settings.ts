/** Settings of the form for a new near miss. */
import type { Words } from '../shape.ts';

export const capture_settings: Words['capture_settings'] = {
  title: 'Nuevos reportes',
  people: 'Nombrar personas',
  peoples: { off: 'No preguntar', on: 'Preguntar siempre' },
  people_notes: {
    off: 'El formulario no pregunta por la persona afectada hasta que usted quiera nombrarla.',
    on: 'La persona y el contacto afectados siempre están en el formulario.',
  },
  fields: 'Campos del formulario de este proyecto',
  fields_text:
    'Spotter encuentra estos campos por su nombre. Si su empresa llama a alguno de otra manera, elíjalo aquí.',
  by_label: (label) => `Automático (${label === '' ? 'ninguno' : label})`,
  no_field: 'Ninguno',
  keys: 'Teclas para un nuevo reporte',
  keys_choices: { on: (keys) => keys, off: 'Sin teclas' },
  keys_refused: (keys) => `Otro programa usa ${keys}, así que en Spotter no hacen nada.`,
  keys_none_free: 'Las otras combinaciones también están ocupadas.',
  keys_take: (keys) => `Usar ${keys}`,
  key_shift: 'Mayús',
  keys_notes: {
    on: 'Funcionan en cualquier programa mientras Spotter esté abierto, salvo que otro programa las use.',
    off: 'Alt + N siempre funciona en la ventana de Spotter.',
  },
  keys_browser:
    'Alt + N en la ventana de Spotter. Para usarlas en cualquier programa hace falta la aplicación de escritorio.',
};
