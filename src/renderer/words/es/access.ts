/** The rights of each level, and why an action is not offered. */
import type { Words } from '../shape.ts';

export const access: Words['access'] = {
  cannot_file: 'Su cuenta solo puede leer',
  cannot_file_text:
    'Puede ver e imprimir los reportes, pero no hacer ni cambiar ninguno. Un administrador de su empresa puede cambiarlo en Empresa, Más, Usuarios.',
  cannot_change: 'Su cuenta no puede cambiar este reporte',
  cannot_change_text: 'Puede cambiarlo su autor o un administrador de su empresa.',
  photos_only: 'Aquí puede agregar fotos y pies de foto',
  photos_only_text:
    'Lo demás de un reporte enviado lo puede cambiar un administrador de su empresa.',
  answers_only_text:
    'Otra persona hizo este reporte. Lo demás lo puede cambiar su autor o un administrador de su empresa.',
  add_photos: 'Agregar fotos',
};
