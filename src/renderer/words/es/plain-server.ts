/** Sentences for a server that has the reference API but not the Spotter extension. */
import type { Words } from '../shape.ts';
import { count, f } from './say.ts';

export const plain_server: Words['plain_server'] = {
  choose: 'Elegir',
  pick_title: '¿Es uno de estos?',
  pick_text:
    'Se cortó la conexión durante el envío, así que tal vez ya está en el servidor. Estos reportes del servidor tienen el mismo texto. No se envía nada hasta que elija.',
  pick_none_left:
    'Los reportes con el mismo texto son otros reportes. Envíe este como reporte nuevo.',
  pick_label: '¿Qué reporte es?',
  record: (number) => `Es el casi accidente ${number}`,
  record_note: (at, recycled, facts) => {
    const when = at === null ? 'En el servidor' : `En el servidor desde ${f.moment(at)}`;
    const where = recycled ? `${when}, ahora en la papelera` : when;
    return facts ? `${where}. ${facts}` : where;
  },
  as_new: 'Ninguno de ellos',
  as_new_note: 'Enviar el mío como reporte nuevo.',
  apply: 'Continuar',
  picked: 'Guardado. Las fotos se enviarán después.',
  sent_as_new: 'Se enviará como reporte nuevo.',
  taken: 'Ese reporte resultó ser otro de los suyos. Revise de nuevo.',
  to_settings: 'Elegir un lugar',

  place_title: 'Fotos',
  place_text:
    'Este servidor no acepta fotos en los casi accidentes. Mientras no elija un lugar, los textos se entregan y las fotos esperan en esta laptop.',
  place_label: 'Las fotos van a',
  places: {
    time_and_material_entry: 'Una entrada de tiempo y materiales',
    custom_field: 'Un campo personalizado',
    laptop: 'Ningún lado',
  },
  place_notes: {
    time_and_material_entry: 'Se adjuntan ahí y se comprueban',
    custom_field: 'Se nombran en el casi accidente, pero no se comprueban',
    laptop: 'Se quedan en esta laptop, y puede exportarlas',
  },
  entry_number: 'Número de la entrada de tiempo y materiales',
  entry_hint:
    'El número en su dirección web en el servidor. Spotter le adjunta todas las fotos de este proyecto.',
  field_number: 'Número del campo personalizado',
  field_hint:
    'Spotter escribe una referencia a cada foto en este campo de texto. La mayoría de los servidores borra las subidas sin uso después de una semana. Los originales se quedan en esta laptop.',
  number_wrong: 'Escriba el número, por ejemplo 12.',
  save: 'Guardar',
  saved: (waiting) =>
    waiting === 0
      ? 'Guardado.'
      : count(waiting, {
          one: 'Guardado. Se está enviando # foto.',
          other: 'Guardado. Se están enviando # fotos.',
        }),

  receipt_entry: (id) => `en la entrada de tiempo y materiales ${id}`,
  receipt_field: (field) => `nombrada en “${field}”, sin comprobar, original en esta laptop`,
};
