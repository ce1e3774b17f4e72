/** [ours] What a person's copy shows of a row (decisions §22.2): times as in responses, custom fields by label, changes as lines. */
import type { HistoryChange } from '../../../contract/rest/history/near-miss-history.ts';
import { customKey } from '../../../contract/text/field-by-label.ts';
import type { TextRow } from '../../store/erasure/texts.ts';
import { readDefinitions } from '../catalog.ts';
import type { Finder } from '../erasure/finder.ts';
import type { SearchParts } from '../erasure/search.ts';
import { maskerOf, type Masker } from '../evidence/masking.ts';
import type { Definitions, StoredFields } from '../near-misses/custom-fields.ts';
import { wireTime } from '../near-misses/near-miss-view.ts';
import type { Link } from './links.ts';

export type Values = Readonly<Record<string, string | number | null>>;

interface Fields {
  readonly definitions: Definitions;
  /** Replaces fields that hold a person, and no other text. */
  readonly masker: Masker;
}

/** A field that holds a person shows nobody but the person whose copy it is. */
const fieldText = ({ masker }: Fields, finder: Finder, key: string, value: string): string =>
  finder.find(value) === 'whole' ? value : masker.field(key, value);

const lineOf = (fields: Fields, finder: Finder, { field, from, to }: HistoryChange): string => {
  const id = Number(field.replace('custom_field_', ''));
  const label = fields.definitions.get(id)?.label ?? field;
  const side = (value: HistoryChange['from']): string =>
    typeof value === 'string' ? fieldText(fields, finder, field, value) : String(value ?? '—');
  return `${label}: ${side(from)} → ${side(to)}`;
};

const isTime = (column: string): boolean => column.endsWith('_at') || column === 'since';

/** @returns reads the shown columns of a row; `project_id` is that of its near miss */
export const valuesReader = (
  { db, company_id }: Pick<SearchParts, 'db' | 'company_id'>,
  finder: Finder,
): ((link: Link, row: TextRow, project_id: number | undefined) => Promise<Values>) => {
  const known = new Map<number, Fields>();
  const fieldsOf = async (project_id = 0): Promise<Fields> => {
    const before = known.get(project_id);
    if (before) return before;
    const definitions = await readDefinitions(db, { company_id, project_id });
    const masker = maskerOf([...definitions.values()], { whole: [], parts: [] });
    const fields = { definitions, masker };
    known.set(project_id, fields);
    return fields;
  };
  const customOf = (fields: Fields, json: string): [string, string | null][] =>
    Object.entries(JSON.parse(json) as StoredFields).map(([id, value]) => {
      const definition = fields.definitions.get(Number(id));
      const key = definition ? customKey(definition) : `custom_field_${id}`;
      const text = value ? fieldText(fields, finder, key, value) : null;
      return [definition?.label ?? key, text];
    });
  return async (link, row, project_id) => {
    const fields = await fieldsOf(project_id);
    const entries = link.shown.flatMap((column): [string, string | number | null][] => {
      const value = row[column] ?? null;
      if (column === 'custom_fields') return customOf(fields, String(value ?? '{}'));
      if (column === 'changes' && value !== null) {
        const changes = JSON.parse(String(value)) as HistoryChange[];
        return [['changes', changes.map((one) => lineOf(fields, finder, one)).join('\n')]];
      }
      return [[column, isTime(column) && typeof value === 'number' ? wireTime(value) : value]];
    });
    // An empty text says nothing.
    return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== ''));
  };
};
