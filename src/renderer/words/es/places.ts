/**
 * Names of the company's screens, Insights, the week on a page, the photos and the tour. The rail, titles and the finder need them before those
 * screens' other words are loaded.
 */
import type { Words } from '../shape.ts';
import { count } from './say.ts';

export const places: Words['places'] = {
  tm: 'Tiempo y materiales',
  insurances: 'Seguros de proveedores',
  insurances_short: 'Seguros',
  members: 'Miembros',
  webhooks: 'Webhooks',
  users: 'Usuarios',
  follow_ups: 'Seguimientos',
  own_data: 'Datos de la empresa',
  more: 'Más de la empresa',
  jobs: 'Trabajos y zonas',
  people: 'Personas',
  companies: 'Empresas',
  equipment: 'Equipos',
  plans: 'Planos',
  insights: 'Panorama',
  week: 'La semana en una hoja',
  photos: 'Fotos',
  tour: 'Cómo funciona Spotter',
  said: 'Ustedes dijeron, nosotros hicimos',
  box: 'Buzón de reportes',
  box_count: (n: number) =>
    count(n, {
      one: 'Buzón de reportes, # reporte pendiente',
      other: 'Buzón de reportes, # reportes pendientes',
    }),
  reportable: '¿Hay que informarlo?',
};
