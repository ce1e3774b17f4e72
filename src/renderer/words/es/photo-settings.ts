/** Settings of photos: how they are imported, when they are sent, how long they stay. */
import type { Words } from '../shape.ts';
import { bytes, photos } from './say.ts';

export const photo_settings: Words['photo_settings'] = {
  title: 'Fotos',
  privacy: 'Ubicación y datos personales en las fotos',
  privacies: { on: 'Quitar', off: 'Conservar' },
  privacy_notes: {
    on: 'Posición GPS, nombres, números de serie',
    off: 'Las fotos se envían sin cambios',
  },
  size: 'Tamaño de las fotos',
  sizes: { original: 'Original', '2560': '2560 píxeles', '1600': '1600 píxeles' },
  size_notes: {
    original: 'Como la tomó la cámara',
    '2560': 'Llena una pantalla grande',
    '1600': 'Para redes lentas',
  },
  sending: 'Cuándo se envían las fotos',
  sendings: { always: 'De inmediato', good_link: 'Con Wi-Fi', by_hand: 'A mano' },
  sending_notes: {
    always: 'Primero el texto, luego las fotos',
    good_link: 'No en redes móviles o lentas',
    by_hand: 'El texto de inmediato, las fotos cuando usted las envíe',
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
    delivered: 'Ya entregadas, se quitan después',
    freed: 'Espacio liberado al quitar fotos entregadas',
    files: (n, size) => (n === 0 ? '0 MB' : `${photos(n)}, ${bytes(size)}`),
    unknown: 'Por ahora no se pudo leer el espacio que ocupan las fotos.',
  },
  keep_note:
    'Una foto cuenta como entregada cuando el servidor demostró que tiene cada byte. Solo después se quita de esta laptop.',
  check: 'Comprobación de las fotos entregadas',
  checks: { proof: 'Con una prueba', bytes: 'Leerlas completas' },
  check_notes: {
    proof:
      'El servidor demuestra que tiene cada byte: nada se transfiere dos veces. Si no puede, Spotter lee la foto del servidor.',
    bytes: 'Cada foto se descarga y se compara: en una línea lenta tarda casi el doble.',
  },
  privacy_note: 'La imagen misma no cambia, y se conserva la hora en que se tomó.',
  size_note:
    'El original se queda en esta laptop hasta que se entregue la foto reducida. Las fotos HEIC reducidas se envían como JPEG. Los videos conservan su tamaño.',
};
