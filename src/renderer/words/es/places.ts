/** What the company's screens, Insights and the week on a page are called in the rail, in titles and in the finder: known before their own words are loaded. */
import type { Words } from '../shape.ts';

export const places: Words['places'] = {
  tm: 'Tiempo y materiales',
  insurances: 'Seguros de proveedores',
  insurances_short: 'Seguros',
  members: 'Miembros',
  webhooks: 'Webhooks',
  own_data: 'Datos de la empresa',
  insights: 'Panorama',
  week: 'La semana en una hoja',
};
