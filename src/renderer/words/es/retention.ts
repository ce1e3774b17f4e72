/** How long reports are kept, and legal holds. */
import type { Words } from '../shape.ts';
import { count } from './say.ts';

const reports = (n: number) => count(n, { one: '# reporte', other: '# reportes' });

export const retention: Words['retention'] = {
  title: 'Cuánto se guardan los reportes',
  note: 'Anonimizar reportes viejos, vaciar la papelera',
  text: 'Apagado mientras no lo elija. Lo que se va no se puede recuperar.',
  back: 'Datos de la empresa',
  years: 'Anonimizar reportes',
  presets: {
    off: 'Nunca',
    uk: 'Reino Unido: 3 años',
    us: 'EE. UU.: 5 años',
    own: 'Otro número',
  },
  years_own: 'Años después del suceso',
  years_bad: 'Un número entero de 1 a 50',
  bin: 'Vaciar la papelera',
  bin_options: {
    off: 'Nunca',
    30: 'A los 30 días',
    60: 'A los 60 días',
    90: 'A los 90 días',
    own: 'Otro número',
  },
  bin_own: 'Días en la papelera',
  bin_bad: 'Un número entero de 30 a 90',
  usual: 'Son los plazos que suelen elegir las empresas. Pregunte a quien las asesora en leyes.',
  goes: 'Qué se va',
  goes_text:
    'Todos los textos, los comentarios, las fotos, el lugar y la marca en el plano, la persona afectada, quién lo reportó y quién lo cambió, en el servidor y en cada laptop cuando vuelva a tener conexión.',
  stays: 'Qué se queda',
  stays_text:
    'Número, trabajo, fechas, gravedad, clase y las demás opciones. Las cifras no cambian, salvo las de lugares, marcas en planos y fotos. También se quedan los títulos y textos de los trabajos: cámbielos en Trabajos y zonas.',
  copies:
    'Los respaldos guardan lo que tienen hasta que se borren. Los archivos que alguien exportó se quedan donde están.',
  held_text:
    'Un reporte bajo retención legal se queda como está. Reténgalo en el menú del reporte.',
  preview: 'Qué pasaría',
  nothing: 'No se anonimizaría ni se borraría nada.',
  anonymise_now: (n) => `Hoy se anonimizarían ${reports(n)}.`,
  anonymise_soon: (n) => `En los próximos 30 días se anonimizarían ${reports(n)}.`,
  delete_now: (n) => `Hoy se borrarían de la papelera ${reports(n)}.`,
  delete_soon: (n) => `En los próximos 30 días se borrarían de la papelera ${reports(n)}.`,
  held: (n) => `Bajo retención legal, y se quedarían: ${reports(n)}.`,
  hidden: (n) => `En trabajos privados que usted no ve: ${reports(n)}.`,
  acts: { anonymise: 'Anonimizado', delete: 'Borrado' },
  row: (number) => `Casi accidente ${number}`,
  is_held: 'Retención legal',
  more: 'Mostrar más',
  looking: 'Revisando los reportes…',
  save: 'Guardar',
  saved: 'Guardado. El servidor revisa cada hora.',
  sure: (n) =>
    n === 0 ? '¿Guardar esta elección?' : `¿Guardar, y perder los textos y fotos de ${reports(n)}?`,
  sure_text: 'No se puede deshacer.',
  offline: 'Puede elegirlo cuando haya conexión.',
  missing: 'Este servidor guarda los reportes hasta que alguien los borre.',
  anonymised: (day) =>
    `Anonimizado el ${day}. Ya no tiene textos ni fotos; las cifras todavía lo cuentan.`,
  hold: {
    open: 'Retención legal…',
    title: 'Retención legal',
    text: 'Mientras esté retenido, el reporte no se anonimiza, y nadie puede borrarlo, quitarle una foto ni suprimir su historial.',
    reason: 'Motivo',
    reason_hint:
      'Solo lo ven los administradores. Por ejemplo: reclamo del 4 de mayo, expediente 112.',
    reason_missing: 'Diga por qué se retiene',
    set: 'Retener',
    change: 'Cambiar el motivo',
    release: 'Levantar la retención',
    was_set: 'El reporte está retenido.',
    was_released: 'Se levantó la retención.',
    logged: 'El registro guarda quién retuvo y quién liberó un reporte.',
    mark: 'Retención legal',
    since: (who, day) => `Retenido por ${who} desde el ${day}`,
    offline: 'Puede retener un reporte cuando haya conexión.',
    missing: 'Este servidor no tiene retenciones legales.',
  },
};
