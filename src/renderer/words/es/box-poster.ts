/** The poster of the report box. All languages are on it. */
import type { box_poster as english } from '../en/box-poster.ts';

export const box_poster: typeof english = {
  title: '¿Vio algo inseguro?',
  join: 'Conéctese al Wi-Fi',
  scan: 'Escanee el código. Escriba qué pasó. Agregue fotos. Envíe.',
  becomes: 'Un supervisor lo lee. Con su código verá qué se hizo.',
  unnamed: 'Sin aplicación. Sin dar su nombre.',
};
