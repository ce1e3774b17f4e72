/** Pure: the active filters of a list as removable chips. */
import type { Catalog } from '../../../../contract/rest/catalog.ts';
import {
  eachField,
  lookupFields,
  nearMissFields,
} from '../../../../contract/rest/near-miss-fields.ts';
import type { FormPart } from '../../../../contract/settings.ts';
import type { Facet, Facets } from '../../../data/index/near-miss-columns.ts';
import { idFields, UNSENT, type IdField } from '../../../data/model/near-miss-query.ts';
import type { ListChoices } from '../../../state/near-misses/list-choices.svelte.ts';
import { called } from '../../../words/catalog-names.ts';
import { words } from '../../../words/words.ts';
import { fieldLabel, lookupNames } from '../../../near-miss-form/field-names.ts';
import { type Roles } from '../../../near-miss-form/roles.ts';
import { customKey } from '../../../../contract/text/field-by-label.ts';

/** The name of an id: from the records that use it, else from the catalog, else its number. */
const nameOf = (
  field: IdField,
  id: number,
  facets: Facets | null,
  catalog: Catalog | undefined,
): string => {
  const lists: Readonly<Record<IdField, readonly { id: number; name: string }[] | undefined>> = {
    incident_id: catalog?.incidents.map((one) => ({ id: one.id, name: one.title })),
    ...eachField(lookupFields, (name) => catalog?.[nearMissFields[name].list]),
  };
  const of = (list: readonly { id: number; name: string }[] | undefined) =>
    list?.find((one) => one.id === id)?.name;
  return called(of(facets?.[field]) || of(lists[field]) || '') || words.app.unnamed(id);
};

/** The roles whose fields a list can be filtered by. */
export type FilterRoles = Pick<Roles, FormPart | 'kind' | 'pin'>;

/** Custom fields that a list can be filtered by, with their labels. */
export const ownTexts = (
  roles: FilterRoles,
): readonly { readonly field: string; readonly name: string }[] =>
  [roles.severity, roles.where, roles.kind].flatMap((one) =>
    one ? [{ field: customKey(one), name: fieldLabel(one, roles) }] : [],
  );

/**
 * Reporters for the filter, the current user first. Unsent reports count as the user's; `ids` lists all ids behind one
 * operation.
 */
export const reportersOf = (
  facets: readonly Facet[],
  me: number | null,
): readonly (Facet & { readonly ids: readonly number[] })[] => {
  const own = [me ?? UNSENT, UNSENT];
  const mine = facets.filter(({ id }) => own.includes(id));
  const others = facets.filter(({ id }) => !own.includes(id));
  const count = mine.reduce((sum, one) => sum + one.count, 0);
  return [
    ...(mine.length === 0
      ? []
      : [{ id: me ?? UNSENT, name: words.list.filter.mine, count, ids: [...new Set(own)] }]),
    ...others.map((one) => ({ ...one, ids: [one.id] })),
  ];
};

export interface Chosen {
  readonly id: string;
  readonly name: string;
  readonly remove: () => void;
}

const day = (text: string): string => words.format.day(Date.parse(`${text}T12:00:00`));

const whenOf = ({ when, from, to }: ListChoices): string | null => {
  const t = words.list.filter;
  if (when === 'any') return null;
  if (when !== 'days') return t.chosen(t.reported, t[when]);
  if (from !== '' && to !== '') return t.between(day(from), day(to));
  if (from !== '') return t.since(day(from));
  return to === '' ? null : t.until(day(to));
};

/** Filters that exist only on this laptop, not in the API. */
const ownChosen = (
  choices: ListChoices,
  facets: Facets | null,
  roles: FilterRoles,
  me: number | null,
): readonly Chosen[] => {
  const t = words.list.filter;
  const { texts, reporters, photos, follow_up, unanswered, on_plan } = choices.own;
  const names = new Map(ownTexts(roles).map(({ field, name }) => [field, name]));
  const known = facets?.own.reporters ?? [];
  const chosen = reporters.map(
    (id) => known.find((one) => one.id === id) ?? { id, name: '', count: 0 },
  );
  return [
    ...Object.entries(texts).flatMap(([field, list]) =>
      list.map((text) => ({
        id: `${field}-${text}`,
        name: t.chosen(names.get(field) ?? field, called(text)),
        remove: () => choices.toggleText(field, text),
      })),
    ),
    ...reportersOf(chosen, me).map(({ id, ids, name }) => ({
      id: `reporter-${id}`,
      name: t.chosen(t.reporter, name || words.app.unnamed(id)),
      remove: () => choices.toggleReporter(ids),
    })),
    ...(photos === null
      ? []
      : [
          {
            id: 'photos',
            name: photos ? t.with_photos : t.without_photos,
            remove: () => choices.setPhotos(null),
          },
        ]),
    ...(follow_up === null
      ? []
      : [
          {
            id: 'follow-up',
            name: t.chosen(words.follow_up.title, words.follow_up.filters[follow_up]),
            remove: () => choices.setFollowUp(null),
          },
        ]),
    ...(choices.only === 'answered'
      ? [{ id: 'answered', name: t.answered, remove: () => (choices.only = 'all') }]
      : []),
    ...(choices.only === 'commented'
      ? [{ id: 'commented', name: t.commented, remove: () => (choices.only = 'all') }]
      : []),
    ...(on_plan === null
      ? []
      : [
          {
            id: 'on-plan',
            name: t.on_plan(on_plan.label, on_plan.area !== null),
            remove: () => choices.setOnPlan(null),
          },
        ]),
    ...(unanswered
      ? [{ id: 'unanswered', name: t.unanswered, remove: () => choices.setUnanswered(false) }]
      : []),
  ];
};

export const chosenOf = (
  choices: ListChoices,
  facets: Facets | null,
  catalog: Catalog | undefined,
  roles: FilterRoles,
  me: number | null,
): readonly Chosen[] => {
  const t = words.list.filter;
  const names = lookupNames();
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
    ...ownChosen(choices, facets, roles, me),
  ];
};
