/** The three cards of the tour. */
import type { Words } from '../shape.ts';
import { f } from './say.ts';

export const tour: Words['tour'] = {
  cards: [
    {
      title: 'Diga qué pasó',
      text: 'Una frase, una foto, qué tan grave pudo haber sido. Toma medio minuto, y no se nombra a nadie si usted no quiere.',
    },
    {
      title: 'Primero se guarda aquí',
      text: 'Cada reporte se guarda primero en esta laptop. No se pierde nada si se cae la red, se cierra la tapa o falla la computadora.',
    },
    {
      title: 'Se entrega una sola vez',
      text: 'Los reportes se envían cuando hay conexión, y cada foto se comprueba al llegar. Arriba a la derecha siempre se ve lo pendiente.',
    },
  ],
  position: (n, of) => `${f.number(n)} de ${f.number(of)}`,
  previous: 'Atrás',
  next: 'Siguiente',
  skip: 'Omitir',
  done: 'Entendido',
  again: 'Mostrar la introducción',
};
