/** A near miss that was opened by the link of a mail and cannot be shown yet. */
import type { Words } from '../shape.ts';

export const linked: Words['linked'] = {
  opening: (number) => `Abriendo el reporte ${number}…`,
  elsewhere: (number) => `El reporte ${number} no está en esta empresa`,
  elsewhere_text: (company) =>
    `Spotter está trabajando en ${company}. Conéctese a la empresa que envió el correo y el reporte se abrirá. Lo que espera aquí queda a salvo.`,
  connect: 'Conectar',
  no_project: (number) => `Usted no puede ver el proyecto del reporte ${number}`,
  no_project_text: 'No se cambió nada. Pida el proyecto a un administrador de su empresa.',
  gone: (number) => `No se puede mostrar el reporte ${number}`,
  gone_text:
    'Se eliminó, o usted ya no puede verlo. No se cambió nada en esta laptop. Pregunte a quien lo reportó o a un administrador.',
  not_here: (number) => `El reporte ${number} todavía no está en esta laptop`,
};
