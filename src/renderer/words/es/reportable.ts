/** "Does this have to be reported?": hints from the law of a country, and the sheet with the facts. */
import type { Words } from '../shape.ts';
import { places } from './places.ts';
import { count, f } from './say.ts';

export const reportable: Words['reportable'] = {
  title: places.reportable,
  open: '¿Informar a una autoridad?',
  hint: 'Es una ayuda, no una decisión. Si tiene dudas, pregunte a su asesor de seguridad.',
  choose: '¿La ley de qué país?',
  countries: { uk: 'Gran Bretaña', us: 'Estados Unidos', se: 'Suecia' },
  law: 'Ley',
  who: 'Quién informa',
  checked: (day) => `Comparada con sus fuentes el ${f.day(day)}.`,
  stale: 'Estas reglas no se comparan con sus fuentes desde hace mucho',
  stale_text: (day) =>
    `La última vez fue el ${f.day(day)}. Mire la fuente antes de confiar en ellas.`,
  fits: '¿Alguna de estas describe lo que pasó?',
  pointed: 'Una palabra del reporte apunta aquí',
  others: (n) => count(n, { one: 'Mostrar # más', other: 'Mostrar # más' }),
  none: 'No marcó ninguna. Si ninguna corresponde, la ley que aparece aquí no pide informe.',
  now: 'De inmediato, por la vía más rápida',
  by: (at) => `Hasta el ${at}`,
  at_once_and_by: (at) => `De inmediato por la vía más rápida, por escrito hasta el ${at}`,
  late: (at) => `El plazo terminó el ${at}. Informe ahora de todos modos.`,
  when: 'Plazo',
  to: 'A quién',
  how: 'Cómo',
  facts: 'Qué piden',
  to_fill: 'por completar',
  fact: {
    when: 'Cuándo pasó',
    where: 'Dónde',
    what: 'Qué pasó',
    action: 'Qué se hizo en el momento',
    establishment: 'Nombre y dirección del lugar de trabajo',
    employer: 'Empresa y su dirección',
    equipment: 'Máquina, equipo o estructura',
    substance: 'Sustancia y cantidad',
    injured: 'Personas lesionadas y su empleador',
    injury: 'Tipo de lesión',
    contact: 'Persona de contacto y teléfono',
  },
  sources: 'Fuentes',
  pick: 'Elija un país para ver sus reglas.',
};
