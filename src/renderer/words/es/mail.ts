/** Choices of mail from the server to this user. */
import type { Words } from '../shape.ts';

export const mail: Words['mail'] = {
  title: 'Correo para usted',
  to: (login) => `El servidor de su empresa escribe a ${login}:`,
  kinds: {
    assigned: 'cuando me nombran para un seguimiento',
    due: 'cuando mi seguimiento vence mañana o está atrasado',
    done: 'cuando responden a mi reporte o su seguimiento está hecho',
    comments: 'cuando comentan en un reporte mío, en mi seguimiento o donde yo comenté',
    severe: 'cuando un reporte tiene la gravedad máxima',
    weekly: 'una vez por semana, con las cifras de la última semana',
  },
  language: 'Idioma de los correos',
  unreachable:
    'Su servidor envía correo, pero su usuario no es una dirección de correo. Pida a un administrador que lo agregue con una.',
  offline: 'El correo se elige mientras Spotter llega al servidor.',
};
