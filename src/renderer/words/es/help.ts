/**
 * The questions and answers of the help. `*…*` marks a label that the window shows; it is read from the words of that
 * screen.
 */
import type { Words } from '../shape.ts';
import { own_data } from './company-data.ts';
import { capture } from './capture.ts';
import { printing } from './printing.ts';
import { app, pill } from './frame.ts';
import { list } from './near-misses.ts';
import { paper } from './paper.ts';
import { waiting } from './waiting.ts';

export const help: Words['help'] = {
  title: 'Ayuda',
  answers: 'Respuestas',
  keys: 'Teclas',
  more_keys: 'Todas las teclas',
  fewer_keys: 'Menos teclas',
  list: [
    {
      question: '¿Llegó mi reporte a la oficina?',
      steps: [
        `Mire arriba a la derecha. *${pill.online_all}* quiere decir que sí, todos.`,
        'Para un solo reporte, ábralo. Las últimas líneas dicen cuándo llegó y que se revisaron sus fotos.',
        `Lo que aún va en camino está en *${app.waiting}*. Está a salvo en esta computadora, aunque cierre Spotter.`,
      ],
    },
    {
      question: '¿Qué hago si un reporte necesita atención?',
      steps: [
        `Abra *${app.waiting}* y presione *${waiting.fix}*.`,
        'El formulario se abre en la casilla marcada y dice qué no se aceptó.',
        `Cámbielo y presione *${capture.save}*. Spotter lo envía otra vez.`,
      ],
    },
    {
      question: '¿Cómo paso las fotos de mi teléfono?',
      steps: [
        `En el formulario, presione *${capture.phone.button}* o *${capture.phone.button_short}*. Aparece un código.`,
        'Apunte la cámara del teléfono al código. El teléfono y la computadora deben estar en la misma red.',
        'Elija las fotos en el teléfono. Aparecen en el formulario.',
      ],
    },
    {
      question: '¿Cómo agrego a una persona, una empresa o un trabajo?',
      steps: [
        `Abra *${app.company}* y elija la lista.`,
        `Presione *${own_data.add}* y escriba el nombre. Funciona sin conexión.`,
        'Puede elegirlo en el formulario enseguida.',
      ],
    },
    {
      question: '¿Cómo imprimo una charla de seguridad?',
      steps: [
        `En la lista, abra *${list.more}*, presione *${list.select}* y marque los casi accidentes.`,
        `Presione *${printing.print}* y elija *${paper.toolbox}*.`,
        'Se omiten los nombres que Spotter conoce. Revise las hojas por si hay otros.',
      ],
    },
  ],
  contact: 'Quién ayuda',
  report: 'Reportar un problema',
  report_text:
    'Copie los detalles y envíelos a quien se ocupa de Spotter, con una frase sobre lo que hizo. No nombran a ninguna persona, empresa, proyecto ni reporte.',
  copy: 'Copiar los detalles',
  show: 'Mostrar los detalles',
};
