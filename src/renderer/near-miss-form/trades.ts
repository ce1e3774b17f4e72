/**
 * Pure: templates per trade that fill in harm source, work activity and immediate action. A trade is offered if the catalog
 * has a matching name, in any language.
 */
import { fold } from '../../contract/text/fold.ts';
import type { Catalog } from '../../contract/rest/catalog.ts';
import type { Answers } from './answers.ts';
import { type Roles } from './roles.ts';
import { customKey } from '../../contract/text/field-by-label.ts';

/** Word prefixes that identify a trade's harm sources and work activities, most likely first. */
const TRADES = {
  scaffold: {
    harm: [
      'working at height',
      'work at height',
      'fall',
      'altura',
      'caida de altura',
      'praca na wysokosci',
      'upadek',
    ],
    work: ['scaffold', 'andami', 'rusztow'],
  },
  lifting: {
    harm: [
      'lifting',
      'suspended load',
      'izaje',
      'carga suspendida',
      'falling object',
      'podnoszenie',
      'spadajac',
    ],
    work: ['crane', 'lifting', 'hoist', 'rigging', 'izaje', 'grua', 'dźwig', 'żuraw', 'podnoszen'],
  },
  electrical: {
    harm: ['electric', 'eléctric', 'live cable', 'prąd', 'elektr'],
    work: [
      'electric',
      'wiring',
      'cabling',
      'instalacion electric',
      'cableado',
      'prace elektr',
      'instalacje elektr',
    ],
  },
  excavation: {
    harm: [
      'excavation',
      'trench',
      'collapse',
      'borde de excav',
      'derrumbe',
      'krawędź wykop',
      'wykop',
      'osunięc',
    ],
    work: [
      'excavation',
      'trench',
      'groundwork',
      'earthwork',
      'excavaci',
      'zanja',
      'wykop',
      'roboty ziemne',
    ],
  },
  vehicles: {
    harm: [
      'moving vehicle',
      'vehicle',
      'plant',
      'traffic',
      'vehiculo',
      'maquinaria',
      'pojazd',
      'maszyn',
    ],
    work: [
      'traffic',
      'haulage',
      'delivery',
      'control de trafico',
      'trafico',
      'acarreo',
      'organizacja ruchu',
      'transport',
    ],
  },
  hot_work: {
    harm: [
      'fire',
      'hot work',
      'burn',
      'incendio',
      'fuego',
      'quemadura',
      'pożar',
      'ogień',
      'oparzen',
    ],
    work: [
      'hot work',
      'weld',
      'cutting',
      'trabajo en caliente',
      'soldad',
      'corte',
      'prace pożarowo',
      'spawan',
      'cięci',
    ],
  },
} as const;

export type Trade = keyof typeof TRADES;

export interface Template {
  readonly trade: Trade;
  /** Null if the catalog has no match: the current choice stays. */
  readonly harm_source_id: number | null;
  readonly work_activity_id: number | null;
}

interface Named {
  readonly id: number;
  readonly name: string;
  readonly active: boolean;
}

/** The first name with a word that starts with the most likely matching prefix. */
const fitting = (list: readonly Named[], beginnings: readonly string[]): number | null => {
  const names = list
    .filter(({ active }) => active)
    .map(({ id, name }) => ({ id, name: ` ${fold(name).replace(/[^\p{L}\p{N}]+/gu, ' ')}` }));
  const found = beginnings
    .map((one) => names.find(({ name }) => name.includes(` ${fold(one)}`)))
    .find((one) => one !== undefined);
  return found?.id ?? null;
};

/** The templates that match this catalog, in the table's order. */
export const templatesOf = (catalog: Catalog | null): readonly Template[] =>
  catalog === null
    ? []
    : (Object.keys(TRADES) as Trade[])
        .map((trade) => ({
          trade,
          harm_source_id: fitting(catalog.harm_sources, TRADES[trade].harm),
          work_activity_id: fitting(catalog.work_activities, TRADES[trade].work),
        }))
        .filter((one) => one.harm_source_id !== null || one.work_activity_id !== null);

export interface Filling {
  readonly lookups: Partial<Answers['lookups']>;
  readonly custom: Answers['custom'];
}

/** @param action the usual immediate action; never replaces typed text */
export const fillingOf = (
  template: Template,
  action: string,
  { action: field }: Roles,
  answers: Answers,
): Filling => {
  const { harm_source_id, work_activity_id } = template;
  const said = field === undefined ? null : (answers.custom[customKey(field)] ?? '');
  return {
    lookups: Object.fromEntries(
      Object.entries({ harm_source_id, work_activity_id }).filter(([, id]) => id !== null),
    ),
    custom: field !== undefined && said === '' ? { [customKey(field)]: action } : {},
  };
};

/** Reverts a filling, except answers changed since. */
export const emptied = (filled: Filling, stood: Answers, now: Answers): Filling => {
  const back = <T>(put: Readonly<Record<string, T>>, is: object, was: object) =>
    Object.fromEntries(
      Object.entries(put)
        .filter(([key, value]) => (is as Record<string, T>)[key] === value)
        .map(([key]) => [key, (was as Record<string, T>)[key] ?? null]),
    );
  return {
    lookups: back(filled.lookups, now.lookups, stood.lookups) as Filling['lookups'],
    custom: back(filled.custom, now.custom, stood.custom) as Filling['custom'],
  };
};
