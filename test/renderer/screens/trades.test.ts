/** Templates by trade: which ones a catalog supports, what they fill in, and how that is removed. */
import { describe, expect, it } from 'vitest';
import type { Catalog, CustomFieldDefinition } from '../../../src/contract/rest/catalog.ts';
import { harmSources, workActivities } from '../../../src/service/demo/words.ts';
import { emptyCatalog } from '../../../src/renderer/data/db/catalog.ts';
import { emptyAnswers, type Answers } from '../../../src/renderer/near-miss-form/answers.ts';
import { rolesOf } from '../../../src/renderer/near-miss-form/roles.ts';
import { emptied, fillingOf, templatesOf } from '../../../src/renderer/near-miss-form/trades.ts';

const catalogOf = (
  harm: readonly string[],
  work: readonly string[],
  retired: readonly string[] = [],
): Catalog => {
  const listed = (names: readonly string[]) =>
    names.map((name, at) => ({
      id: at + 1,
      name,
      active: !retired.includes(name),
      global: false,
    })) as unknown as Catalog['harm_sources'];
  return { ...emptyCatalog, harm_sources: listed(harm), work_activities: listed(work) };
};
const action: CustomFieldDefinition = {
  id: 9,
  label: 'Immediate action',
  data_type: 'text',
  options: [],
  required: false,
};
const said = (catalog: Catalog) =>
  templatesOf(catalog).map(({ trade, harm_source_id, work_activity_id }) => [
    trade,
    catalog.harm_sources.find(({ id }) => id === harm_source_id)?.name ?? null,
    catalog.work_activities.find(({ id }) => id === work_activity_id)?.name ?? null,
  ]);

describe('templates by trade', () => {
  it('finds what the catalog calls them, in every language, and offers none that it cannot fill', () => {
    expect(said(catalogOf(harmSources, workActivities))).toEqual([
      ['scaffold', 'Working at height', 'Scaffold erection'],
      ['lifting', 'Lifting operation', 'Crane lift'],
      ['electrical', 'Electricity', null],
      ['excavation', 'Excavation edge', 'Excavation'],
      ['vehicles', 'Moving vehicle', 'Traffic management'],
    ]);
    const spanish = catalogOf(
      ['Trabajo en ALTURA', 'Riesgo eléctrico', 'Descorte'],
      ['Montaje de andamios', 'Soldadura', 'Grúa torre'],
    );
    expect(said(spanish)).toEqual([
      ['scaffold', 'Trabajo en ALTURA', 'Montaje de andamios'],
      ['lifting', null, 'Grúa torre'],
      ['electrical', 'Riesgo eléctrico', null],
      ['hot_work', null, 'Soldadura'],
    ]);
    const polish = catalogOf(
      ['Praca na wysokości', 'Prąd elektryczny', 'Krawędź wykopu'],
      ['Montaż rusztowań', 'Spawanie', 'Praca żurawia', 'Roboty ziemne'],
    );
    expect(said(polish)).toEqual([
      ['scaffold', 'Praca na wysokości', 'Montaż rusztowań'],
      ['lifting', null, 'Praca żurawia'],
      ['electrical', 'Prąd elektryczny', null],
      ['excavation', 'Krawędź wykopu', 'Roboty ziemne'],
      ['hot_work', null, 'Spawanie'],
    ]);
    expect(templatesOf(null)).toEqual([]);
    expect(templatesOf(catalogOf([], []))).toEqual([]);
    const retired = catalogOf(['Electricity'], ['Electrical fitting'], ['Electricity']);
    expect(said(retired)).toEqual([['electrical', null, 'Electrical fitting']]);
  });

  it('fills in what the trade says, never over an action that somebody wrote', () => {
    const roles = rolesOf([action]);
    const template = { trade: 'scaffold', harm_source_id: 4, work_activity_id: null } as const;
    const empty = emptyAnswers(1);
    expect(fillingOf(template, 'Closed off.', roles, empty)).toEqual({
      lookups: { harm_source_id: 4 },
      custom: { custom_field_9: 'Closed off.' },
    });
    const written = { ...empty, custom: { custom_field_9: 'Net put up' } };
    expect(fillingOf(template, 'Closed off.', roles, written).custom).toEqual({});
    expect(fillingOf(template, 'Closed off.', rolesOf([]), empty).custom).toEqual({});
  });

  it('taken out, what stood before stands again, and what was changed since stays', () => {
    const stood: Answers = emptyAnswers(1);
    const put = {
      lookups: { harm_source_id: 4, work_activity_id: 5 },
      custom: { custom_field_9: 'Closed.' },
    };
    const now: Answers = {
      ...stood,
      lookups: { ...stood.lookups, harm_source_id: 4, work_activity_id: 6 },
      custom: { custom_field_9: 'Closed by Ann.' },
    };
    expect(emptied(put, stood, now)).toEqual({ lookups: { harm_source_id: null }, custom: {} });
    const untouched = { ...now, lookups: { ...now.lookups, ...put.lookups }, custom: put.custom };
    expect(emptied(put, stood, untouched)).toEqual({
      lookups: { harm_source_id: null, work_activity_id: null },
      custom: { custom_field_9: null },
    });
  });
});
