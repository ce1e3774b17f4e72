/** A field of a near miss has one name per language: in the form, the detail, the history, a conflict, and files. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { languages } from '../../../src/contract/languages.ts';
import type { CustomFieldDefinition } from '../../../src/contract/rest/catalog.ts';
import { emptyCatalog } from '../../../src/renderer/data/db/catalog.ts';
import { recordColumns } from '../../../src/renderer/data/export/export-table.ts';
import { emptyFields } from '../../../src/renderer/data/model/near-miss-rows.ts';
import { nameOfField, ownLabel } from '../../../src/renderer/near-miss-form/field-names.ts';
import { rolesOf } from '../../../src/renderer/near-miss-form/roles.ts';
import { figuresCsv } from '../../../src/renderer/screens/insights/figures-csv.ts';
import { changeLine } from '../../../src/renderer/screens/near-misses/detail/history-lines.ts';
import { tableWords } from '../../../src/renderer/screens/near-misses/list/table-words.ts';
import { textToShare } from '../../../src/renderer/screens/common/share.ts';
import { called } from '../../../src/renderer/words/catalog-names.ts';
import { words } from '../../../src/renderer/words/company-words.ts';
import { speak } from '../../../src/renderer/words/words.ts';

const definitions = (
  [
    [1, 'Potential severity', 'select'],
    [2, 'Location', 'string'],
    [3, 'Event time', 'datetime'],
    [4, 'Immediate action', 'text'],
    [5, 'Weather', 'select'],
    [6, 'Photo captions', 'text'],
    [7, 'Crew', 'string'],
  ] as const
).map(([id, label, data_type]) => ({ id, label, data_type, required: false, options: [] }));
const keys = definitions.map(({ id }) => `custom_field_${id}`);
const catalog = { ...emptyCatalog, custom_field_definitions: definitions };

const named = {
  en: ['Potential severity', 'Where', 'When', 'Immediate action', 'Weather', 'Photo captions'],
  es: ['Gravedad potencial', 'Dónde', 'Cuándo', 'Acción inmediata', 'Clima', 'Pies de foto'],
  pl: ['Możliwe skutki', 'Gdzie', 'Kiedy', 'Działanie natychmiastowe', 'Pogoda', 'Podpisy zdjęć'],
};

describe.each(languages)('%s', (language) => {
  beforeEach(() => speak(language));
  afterEach(() => speak('en'));
  // A label that has no translation stays as the server spells it.
  const names = [...named[language], 'Crew'];

  it('a field goes by the part it plays, else by its label in the language of the window', () => {
    const roles = rolesOf(definitions);
    expect(keys.map((key) => nameOfField(key, definitions, roles))).toEqual(names);
    // Settings may assign the role to another field.
    const chosen = rolesOf(definitions, { where: 7 });
    expect(nameOfField('custom_field_7', definitions, chosen)).toBe(names[1]);
    expect(nameOfField('custom_field_2', definitions, chosen)).not.toBe(names[1]);
    expect(nameOfField('description', definitions, roles)).toBe(words.capture.what);
    expect(nameOfField('managed_equipment_id', definitions, roles)).toBe(
      words.field_labels.managed_equipment,
    );
    expect(nameOfField('custom_field_99', definitions, roles)).toBe(
      { en: 'Custom field 99', es: 'Campo personalizado 99', pl: 'Pole własne 99' }[language],
    );
  });

  it('the history names it so, and what the catalog does not know by its number', () => {
    for (const [at, name] of keys.entries())
      expect(changeLine({ name, before: null, after: 'x' }, catalog)).toBe(
        words.history.change(names[at] ?? '', words.history.nothing, 'x'),
      );
    expect(changeLine({ name: 'harm_source_id', before: null, after: 5 }, catalog)).toContain(
      { en: '→ No. 5', es: '→ N.º 5', pl: '→ Nr 5' }[language],
    );
  });

  it('a field that the server gives no name goes by its number, the same in history, receipt and files', () => {
    const unnamed: CustomFieldDefinition = {
      id: 9,
      label: ' ',
      data_type: 'text',
      required: false,
      options: [],
    };
    const name = { en: 'Custom field 9', es: 'Campo personalizado 9', pl: 'Pole własne 9' }[
      language
    ];
    for (const known of [[unnamed], []]) {
      expect(nameOfField('custom_field_9', known, rolesOf(known))).toBe(name);
      const heads = recordColumns(tableWords(known), [unnamed]).map(({ head }) => head);
      expect(heads[11]).toBe(name);
      const change = { name: 'custom_field_9', before: null, after: 'x' };
      const here = { ...emptyCatalog, custom_field_definitions: known };
      expect(changeLine(change, here)).toContain(name);
    }
    expect(ownLabel(unnamed)).toBe(name);
    expect(words.plain_server.receipt_field(name)).toContain(words.problem.quoted(name));
  });

  it('the columns of a table are called so, dates are dates, and choices are said as on the screen', () => {
    const say = tableWords(definitions);
    const columns = recordColumns(say, definitions).slice(11, -2);
    expect(columns.map(({ head }) => head)).toEqual(names);
    expect(columns.filter(({ holds }) => holds === 'moment').map(({ head }) => head)).toEqual([
      names[2],
    ]);
    expect(say.name('Could have killed')).toBe(
      { en: 'Could have killed', es: 'Pudo matar', pl: 'Mogło zabić' }[language],
    );
  });

  it('what is shared and the figures of Insights call it so', () => {
    const custom_fields = { custom_field_2: 'Gate 2', custom_field_5: 'Rain' };
    const row = {
      fields: { ...emptyFields, custom_fields },
      names: { incident: '', harm_source: '', work_activity: '' },
    };
    const shared = textToShare({ row: row as never, definitions, photos: 0, project: '' });
    expect(shared).toContain(`${names[1] ?? ''}: Gate 2`);
    expect(shared).toContain(
      { en: 'Weather: Rain', es: 'Clima: Lluvia', pl: 'Pogoda: Deszcz' }[language],
    );
    const none = {
      harm_source: [],
      work_activity: [],
      affected_company: [],
      managed_equipment: [],
    };
    const found = {
      total: 1,
      weeks: [],
      severity: [{ value: 'Could have killed', count: 1 }],
      kind: [],
      delay: { counts: [], recorded: 0 },
      by: none,
      heat: [],
    };
    expect(figuresCsv(found as never, () => '')).toContain(
      `"${names[0] ?? ''}","${called('Could have killed')}"`,
    );
  });
});
