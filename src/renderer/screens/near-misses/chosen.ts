/** Pure: what is chosen in a list's filters, as the chips that say it and take it away. */
import type { Catalog } from '../../../contract/rest/catalog.ts';
import type { Facets } from '../../data/near-miss-columns.ts';
import { idFields, type IdField } from '../../data/near-miss-query.ts';
import type { ListChoices } from '../../state/list-choices.svelte.ts';
import { called } from '../../words/catalog-names.ts';
import { words } from '../../words/words.ts';

export const fieldNames = (): Readonly<Record<IdField, string>> => {
  const t = words.detail;
  return {
    incident_id: t.incident,
    harm_source_id: t.harm_source,
    work_activity_id: t.work_activity,
    managed_equipment_id: t.equipment,
    affected_company_id: t.affected_company,
    affected_party_id: t.affected_party,
    affected_person_id: t.affected_person,
  };
};

/** What an id is called: by the records that have it, else by the catalog, else its number. */
const nameOf = (
  field: IdField,
  id: number,
  facets: Facets | null,
  catalog: Catalog | undefined,
): string => {
  const lists: Readonly<Record<IdField, readonly { id: number; name: string }[] | undefined>> = {
    incident_id: catalog?.incidents.map((one) => ({ id: one.id, name: one.title })),
    harm_source_id: catalog?.harm_sources,
    work_activity_id: catalog?.work_activities,
    managed_equipment_id: catalog?.managed_equipment,
    affected_company_id: catalog?.companies,
    affected_party_id: catalog?.parties,
    affected_person_id: catalog?.people,
  };
  const of = (list: readonly { id: number; name: string }[] | undefined) =>
    list?.find((one) => one.id === id)?.name;
  return called(of(facets?.[field]) || of(lists[field]) || '') || words.list.filter.unnamed(id);
};

export interface Chosen {
  readonly id: string;
  readonly name: string;
  readonly remove: () => void;
}

const day = (text: string): string => words.format.day(Date.parse(`${text}T12:00:00`));

const whenOf = (choices: ListChoices): string | null => {
  const t = words.list.filter;
  const { when, from, to } = choices;
  if (when === 'any') return null;
  if (when !== 'days') return t.chosen(t.reported, t[when]);
  if (from !== '' && to !== '') return t.between(day(from), day(to));
  if (from !== '') return t.since(day(from));
  return to === '' ? null : t.until(day(to));
};

export const chosenOf = (
  choices: ListChoices,
  facets: Facets | null,
  catalog: Catalog | undefined,
): readonly Chosen[] => {
  const t = words.list.filter;
  const names = fieldNames();
  const when = whenOf(choices);
  const text = choices.query.trim();
  return [
    ...(text === ''
      ? []
      : [{ id: 'query', name: t.search(text), remove: () => (choices.query = '') }]),
    ...(when === null ? [] : [{ id: 'when', name: when, remove: () => (choices.when = 'any') }]),
    ...idFields.flatMap((field) =>
      (choices.ids[field] ?? []).map((id) => ({
        id: `${field}-${id}`,
        name: t.chosen(names[field], nameOf(field, id, facets, catalog)),
        remove: () => choices.toggle(field, id),
      })),
    ),
  ];
};
