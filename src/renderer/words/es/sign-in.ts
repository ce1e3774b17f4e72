/** The notices that ask a user to sign in again, or to open the keychain. */
import type { Words } from '../shape.ts';
import { count } from './say.ts';

export const sign_in: Words['sign_in'] = {
  title: 'Inicie sesión de nuevo',
  safe: 'Sus reportes están a salvo en esta laptop. Inicie sesión para enviarlos.',
  text: (n) =>
    n === 0
      ? 'Puede seguir trabajando. Los nuevos reportes se guardan en esta laptop.'
      : count(n, {
          one: '# elemento está a salvo en esta laptop y se enviará cuando inicie sesión.',
          other: '# elementos están a salvo en esta laptop y se enviarán cuando inicie sesión.',
        }),
  go: 'Iniciar sesión',
  locked: 'El llavero está bloqueado',
  asking: '¿Esta computadora le está preguntando por el llavero?',
  asking_text: (n) =>
    n === 0
      ? 'Busque la pregunta de la computadora y permita el acceso a Spotter en menos de dos minutos. Puede seguir trabajando.'
      : count(n, {
          one: 'Busque la pregunta de la computadora y permita el acceso a Spotter en menos de dos minutos. # elemento está a salvo en esta laptop.',
          other:
            'Busque la pregunta de la computadora y permita el acceso a Spotter en menos de dos minutos. # elementos están a salvo en esta laptop.',
        }),
  hung: 'El llavero no responde',
  denied: 'El llavero rechazó a Spotter',
  absent: 'Falta el llavero',
  locked_text: (n) =>
    n === 0
      ? 'Desbloquee el llavero y presione Reintentar. Puede seguir trabajando.'
      : count(n, {
          one: 'Desbloquee el llavero y presione Reintentar. # elemento está a salvo en esta laptop.',
          other:
            'Desbloquee el llavero y presione Reintentar. # elementos están a salvo en esta laptop.',
        }),
};
