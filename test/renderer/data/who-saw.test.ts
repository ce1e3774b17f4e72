/** Who saw a near miss, and answer codes (decisions §4.12): read, made, typed in any way, found by the search. */
import { expect, it } from 'vitest';
import type { CustomFieldDefinition } from '../../../src/contract/rest/catalog.ts';
import {
  newAnswerCode,
  readAnswerCode,
  spacedCode,
} from '../../../src/contract/text/answer-code.ts';
import { SOMEBODY_ELSE, UNNAMED } from '../../../src/contract/text/who-saw.ts';
import { createColumns } from '../../../src/renderer/data/index/near-miss-columns.ts';
import { emptyFields, rowOf } from '../../../src/renderer/data/model/near-miss-rows.ts';
import { askedForAll } from '../../../src/renderer/data/model/near-miss-query.ts';
import { whoSawFields, whoSawOf, withoutName } from '../../../src/renderer/data/model/who-saw.ts';

const field = (id: number, label: string, required = false): CustomFieldDefinition => ({
  id,
  label,
  data_type: 'string',
  options: [],
  required,
});
const WHO = 'custom_field_1';
const CODE = 'custom_field_2';
const fields = whoSawFields([field(1, 'Who saw it?'), field(2, 'Answer code')]);

it('decisions §4.12: both fields are needed, in either language, and neither may be required', () => {
  expect(fields).toMatchObject({ who: { id: 1 }, code: { id: 2 } });
  const spanish = whoSawFields([field(1, '¿Quién lo vio?'), field(2, 'Código de respuesta')]);
  expect(spanish).toMatchObject({ who: { id: 1 }, code: { id: 2 } });
  expect(whoSawFields([field(1, 'Who saw it')])).toBeNull();
  expect(whoSawFields([field(1, 'Who saw it', true), field(2, 'Answer code')])).toBeNull();
});

it('decisions §4.12: nothing is the reporter; a copy made before the report is saved has no name', () => {
  if (fields === null) throw new Error('no fields');
  const said = (who: string | null) => whoSawOf({ custom_fields: { [WHO]: who } }, fields);
  expect(said(null)).toEqual({ unnamed: false, name: '', code: '' });
  expect(said(' Ana Ruiz ')).toMatchObject({ unnamed: false, name: 'Ana Ruiz' });
  expect(said(SOMEBODY_ELSE)).toMatchObject({ unnamed: false, name: '' });
  expect(said(UNNAMED)).toMatchObject({ unnamed: true, name: '' });
  expect(
    withoutName({ custom_fields: { [WHO]: 'Ana Ruiz', [CODE]: 'x' } }, fields).custom_fields,
  ).toEqual({ [WHO]: SOMEBODY_ELSE, [CODE]: 'x' });
  for (const custom_fields of [{ [WHO]: UNNAMED }, { [WHO]: null }, { [CODE]: 'x' }])
    expect(withoutName({ custom_fields }, fields).custom_fields).toEqual(custom_fields);
});

it('decisions §4.12: codes are six consonants, each as likely as the others, read in any spelling', () => {
  const codes = Array.from({ length: 3_000 }, () =>
    newAnswerCode((bytes) => crypto.getRandomValues(new Uint8Array(bytes))),
  );
  const counts = Map.groupBy(codes.join(''), (letter) => letter);
  expect([...counts.keys()].sort().join('')).toBe('BCDFGHJKMNPRSTWXYZ');
  // 1,000 of each are expected; six standard deviations are 185.
  for (const [letter, { length }] of counts) {
    expect(length, letter).toBeGreaterThan(815);
    expect(length, letter).toBeLessThan(1_185);
  }
  for (const typed of ['KBRTWX', 'kbrtwx', ' kbr twx ', 'K b R-T w X', 'ｋｂｒｔｗｘ'])
    expect(readAnswerCode(typed), typed).toBe('KBRTWX');
  for (const typed of ['', 'KBRTW', 'KBRTWXY', 'KBRTWA', 'KBRTW1', 'LLLLLL'])
    expect(readAnswerCode(typed), typed).toBeNull();
  expect(spacedCode('KBRTWX')).toBe('KBR TWX');
  expect(spacedCode('ask Ana')).toBe('ask Ana');
});

it('decisions §4.12: the search finds a report by its code in any case and with blanks', () => {
  const columns = createColumns();
  const put = (key: string, description: string, code: string) =>
    columns.put(
      rowOf(
        {
          key,
          account: 'a',
          company_id: 1,
          project_id: 1,
          fields: { ...emptyFields, description, custom_fields: { [CODE]: code } },
          server_id: null,
          server: null,
          removed_at: null,
          created_at: 1,
          updated_at: 1,
          seen_at: '',
        } as never,
        null,
      ),
    );
  put('one', '<p>Board fell</p>', 'KBRTWX');
  put('two', '<p>Box of kbr beside twx</p>', 'CCCCCC');
  const found = (query: string) =>
    columns.ask({ ...askedForAll, query }).found.map(({ key }) => key);
  for (const query of ['KBRTWX', 'kbr twx', 'k b r t w x', 'KBR-TWX'])
    expect(found(query), query).toEqual(['one']);
  expect(found('kbr beside')).toEqual(['two']);
  expect(found('DDD DDD')).toEqual([]);
});
