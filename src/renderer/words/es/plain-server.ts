/** What is only asked or said of a server that has the API of the reference and none of our additions. */
import type { Words } from '../shape.ts';
import { count, f } from './say.ts';

export const plain_server: Words['plain_server'] = {
  choose: 'Elegir',
  pick_title: '¿Es uno de estos?',
  pick_text:
    'Se cortó la conexión durante el envío, así que tal vez ya está en el servidor. El servidor tiene estos registros con el mismo texto. No se envía nada hasta que elija.',
  pick_none_left:
    'Los registros con el mismo texto resultaron ser otros reportes. Envíe este como registro nuevo.',
  pick_label: '¿Qué registro es?',
  record: (number) => `Es el casi accidente ${number}`,
  record_note: (at, recycled, facts) => {
    const when = at === null ? 'En el servidor' : `En el servidor desde ${f.moment(at)}`;
    const where = recycled ? `${when}, ahora en la papelera` : when;
    return facts ? `${where}. ${facts}` : where;
  },
  as_new: 'Ninguno de ellos',
  as_new_note: 'Enviarlo como registro nuevo.',
  apply: 'Seguir',
  picked: 'Elegido. Sus fotos siguen solas.',
  sent_as_new: 'Se envía como registro nuevo.',
  taken: 'Ese registro ya es otro reporte suyo. Mire de nuevo.',
  to_settings: 'Elegir un lugar',

  place_title: 'Lugar de las fotos',
  place_text:
    'Este servidor no recibe fotos en los casi accidentes. Mientras no elija un lugar, los textos se entregan y las fotos esperan en esta laptop.',
  place_label: 'Las fotos van a',
  places: {
    time_and_material_entry: 'Una entrada de tiempo y materiales',
    custom_field: 'Un campo personalizado',
    laptop: 'Ningún lado',
  },
  place_notes: {
    time_and_material_entry: 'Se adjuntan ahí, se leen de vuelta y se comparan',
    custom_field: 'Se nombran en el casi accidente; no se pueden leer de vuelta',
    laptop: 'Se quedan en esta laptop y se pueden exportar',
  },
  entry_number: 'Número de la entrada de tiempo y materiales',
  entry_hint:
    'El id en su dirección en el servidor. Todas las fotos de este proyecto se le adjuntan.',
  field_number: 'Número del campo personalizado',
  field_hint:
    'Un campo de texto. A su texto se agrega la referencia de cada foto subida. La mayoría de los servidores borra una subida después de una semana si nada más la usa; el original se queda en esta laptop.',
  number_wrong: 'Escriba el número, por ejemplo 12.',
  save: 'Guardar',
  saved: (waiting) =>
    waiting === 0
      ? 'Guardado.'
      : count(waiting, {
          one: 'Guardado. # foto lo esperaba: se envía ahora.',
          other: 'Guardado. # fotos lo esperaban: se envían ahora.',
        }),

  receipt_entry: (id) => `en la entrada de tiempo y materiales ${id}`,
  receipt_field: (id) =>
    `nombrada en el campo personalizado ${id}, sin leer de vuelta; el original está aquí`,
};
