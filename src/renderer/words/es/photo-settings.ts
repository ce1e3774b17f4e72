/** How photos are taken in, when they are sent and how long they stay: the part of the settings that says so. */
import type { Words } from '../shape.ts';
import { bytes, photos } from './say.ts';

export const photo_settings: Words['photo_settings'] = {
  title: 'Fotos',
  privacy: 'Lo que una foto dice de personas y lugares',
  privacies: { on: 'Quitarlo', off: 'Dejarlo' },
  privacy_notes: {
    on: 'Ubicación, nombres, números de serie',
    off: 'Se envía como la escribió la cámara',
  },
  size: 'Tamaño de lo que se envía',
  sizes: { original: 'Original', '2560': '2560 píxeles', '1600': '1600 píxeles' },
  size_notes: {
    original: 'Como la hizo la cámara',
    '2560': 'Llena una pantalla grande',
    '1600': 'Para redes lentas',
  },
  sending: 'Cuándo se envían las fotos',
  sendings: { always: 'De inmediato', good_link: 'Con buena red', by_hand: 'Cuando yo diga' },
  sending_notes: {
    always: 'Primero el texto, luego las fotos',
    good_link: 'No en redes móviles o lentas',
    by_hand: 'El texto de inmediato, las fotos a mano',
  },
  keep: 'Fotos entregadas en esta laptop',
  keeps: { '0': 'Quitar de inmediato', '7': '7 días', '30': '30 días' },
  keep_notes: {
    '0': 'Cuando el servidor las tiene',
    '7': 'Después de entregarlas',
    '30': 'Después de entregarlas',
  },
  storage: {
    title: 'Fotos en esta laptop',
    here: 'Ahora en esta laptop',
    delivered: 'De ellas, entregadas: se quitan cuando pasen sus días',
    freed: 'Liberado hasta ahora al quitar las entregadas',
    files: (n, size) => (n === 0 ? 'nada' : `${photos(n)}, ${bytes(size)}`),
    unknown: 'Por ahora no se pudo saber cuánto ocupan las fotos aquí.',
  },
  keep_note:
    'Una foto cuenta como entregada cuando se leyó de vuelta del servidor y resultó igual, byte por byte. Solo entonces se quita de aquí.',
  privacy_note:
    'Quitar esos datos no cambia ningún píxel y conserva la hora de la toma. Una foto sin marcas todavía puede enviarse como está.',
  size_note:
    'El original se queda en esta laptop hasta que la reducida se entregue. Una foto HEIC reducida se envía como JPEG; los videos se envían en su propio tamaño.',
};
