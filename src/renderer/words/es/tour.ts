/** Three cards for whoever opens Spotter for the first time. */
import type { Words } from '../shape.ts';
import { f } from './say.ts';

export const tour: Words['tour'] = {
  title: 'Cómo funciona Spotter',
  cards: [
    {
      title: 'Diga qué pasó',
      text: 'Una frase, una foto, qué tan grave pudo haber sido. Toma medio minuto, y no se nombra a nadie si usted no quiere.',
    },
    {
      title: 'Primero se guarda aquí',
      text: 'Cada reporte está en esta laptop antes de enviarse. Sin red, con la tapa cerrada o tras una falla, no se pierde nada.',
    },
    {
      title: 'Se entrega una sola vez',
      text: 'Sale solo cuando hay conexión, y cada foto se lee de vuelta y se compara. Arriba a la derecha siempre se ve lo pendiente.',
    },
  ],
  position: (n, of) => `${f.number(n)} de ${f.number(of)}`,
  previous: 'Tarjeta anterior',
  next: 'Tarjeta siguiente',
  skip: 'Omitir',
  done: 'Entendido',
  again: 'Mostrar de nuevo las tres tarjetas',
};
