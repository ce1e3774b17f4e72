/** Who saw it, the slip of somebody who stays unnamed, and the answer for a code. */
import type { Words } from '../shape.ts';
import { f } from './say.ts';

export const who_saw: Words['who_saw'] = {
  choices: { me: 'Yo', other: 'Otra persona', unnamed: 'Alguien que no da su nombre' },
  change: 'Cambiar',
  name: 'Nombre',
  name_about: 'Se guarda al guardar el reporte. El borrador no lo conserva.',
  unnamed_about:
    'No se guarda ningún nombre. Usted aparece como quien escribió el reporte. Al guardarlo recibe un código para preguntar qué se hizo.',
  was_named:
    'Este reporte se guardó antes con un nombre. Las entradas anteriores del historial del servidor, los respaldos y los archivos pueden conservarlo.',
  named: (names) => `El texto tiene nombres de personas: ${f.list(names)}.`,
  take_out: (name) => `Quitar ${name}`,
  somebody: 'alguien',
  slip: 'Código para la respuesta',
  slip_about:
    'Léalo en voz alta o imprima la hoja. Quien pregunte con este código sabrá qué se hizo. También está en el menú del reporte.',
  slip_language: 'Idioma de la hoja',
  print_slip: 'Imprimir la hoja',
  ask: {
    about: 'Para alguien que no da su nombre. Muestra qué se hizo y nada más del reporte.',
    code: 'Código',
    no_code: 'Un código tiene seis letras, como en la hoja.',
    go: 'Mostrar la respuesta',
    none_yet: (day) => `Todavía no hay respuesta. Se reportó el ${day}.`,
    unknown:
      'Ningún reporte de esta computadora tiene este código. Revise las letras. Un reporte nuevo quizá no ha llegado aquí.',
  },
};
