/** Spreadsheets of company data (decisions §11.5): columns, cell values, and errors by line. */
import { describe, expect, it } from 'vitest';
import type { ImportKind } from '../../../src/contract/rest/import-kinds.ts';
import {
  badByServer,
  dayCells,
  leftOut,
  matchColumns,
  readRows,
  refusalOf,
  templateOf,
} from '../../../src/renderer/screens/company/company-data/file-rows.ts';
import { type DayOrder, guessOrder } from '../../../src/renderer/screens/company/days.ts';
import { readCsv } from '../../../src/renderer/screens/company/spreadsheet/csv-read.ts';
import {
  findHeading,
  tableOf as tableUnder,
} from '../../../src/renderer/screens/company/spreadsheet/spreadsheet.ts';

const tableOf = (text: string, of: ImportKind = 'vendors') => {
  const read = readCsv(new TextEncoder().encode(text));
  if (!read.ok) throw new Error(read.refusal.kind);
  const known = (cells: readonly string[]) =>
    matchColumns(of, cells).filter((field) => field !== null).length;
  return tableUnder(read.sheet, findHeading(read.sheet, known));
};
const judge = (of: ImportKind, text: string, said: DayOrder | null = null) => {
  const table = tableOf(text, of);
  const columns = matchColumns(of, table.heading);
  const order = said ?? guessOrder(dayCells(table, columns));
  const read = readRows(of, table, columns, order);
  return { ...read, columns, refusal: refusalOf(of, columns, read) };
};

describe('a file is read as its kind', () => {
  it('columns by the name of the API or of the window, with any letters; others are left out', () => {
    expect(matchColumns('people', ['NAME', 'Login', 'Origin ID', 'Colour', ''])).toEqual([
      'name',
      'login',
      'origin_id',
      null,
      null,
    ]);
  });

  it('cells become what their fields are; an empty one says nothing; lines are those of the file', () => {
    const text =
      'Question;Kind of answer;Choices;Required;In use\n\n"Weather?";select;dry | wet;yes;\n';
    const { lines, rows, bad } = judge('custom_field_definitions', text);
    expect(bad).toEqual([]);
    expect(lines).toEqual([3]);
    expect(rows).toEqual([
      { label: 'Weather?', data_type: 'select', options: ['dry', 'wet'], required: true },
    ]);
  });

  it('when it happened: in the order that the file tells or a person says; else it is told', () => {
    const text = (...days: string[]) =>
      ['Title;event_date', ...days.map((d) => `T;${d}`)].join('\n');
    const days = (...given: Parameters<typeof judge>) =>
      judge(...given).rows.map((row) => new Date(String(row['event_date'])).toDateString());
    const may = 'Sat May 04 2030';
    expect(days('incidents', text('04/05/2030 08:15', '31/12/2030'))[0]).toBe(may);
    expect(days('incidents', text('05/04/2030', '12/31/2030'))[0]).toBe(may);
    expect(days('incidents', text('05/04/2030'), 'month_day')).toEqual([may]);
    const unclear = judge('incidents', text('05/04/2030'));
    expect(unclear.bad.map(({ line, why }) => [line, why])).toEqual([
      [2, 'not a date and time: write it as 2026-01-31 08:15'],
    ]);
  });

  it('every bad row is told by line, column and a reason in plain words', () => {
    const long = 'x'.repeat(256);
    const text = [
      'name,active,project_id,origin_id',
      'Fine,yes,,',
      ',yes,,',
      `${long},,,`,
      'Flag,perhaps,,',
      'Number,,seven,',
      'Cells,,,,surplus',
    ].join('\n');
    const told = judge('vendors', text).bad.map(({ line, column, why }) => [line, column, why]);
    expect(told).toEqual([
      [3, 'Name', 'missing'],
      [4, 'Name', 'too long'],
      [5, 'In use', 'write yes or no'],
      [6, 'Project number', 'not a number'],
      [7, 'Row', 'more cells than columns'],
    ]);
  });

  it('what the server says is told by the line of the file, and what it means by another row too', () => {
    const lines = [2, 3, 7];
    expect(
      badByServer(
        {
          'rows.2.name': ['means the same record as rows.0'],
          'rows.1.origin_id': ['is that of another record'],
          'rows.0.folder_id': ['something new'],
        },
        lines,
      ),
    ).toEqual([
      { line: 7, column: 'Name', why: 'the same as row 2' },
      { line: 3, column: 'Number in another system', why: 'already used elsewhere in this list' },
      { line: 2, column: 'Folder number', why: 'something new' },
    ]);
  });

  it('a title, totals and a spoiled cell: no record; equal headings: the second is left out by its letter', () => {
    const text = [
      'Vendors 2026,,,',
      'Name,Origin ID,Name,Number',
      'Beam Steel,9.87654E+14,Other,',
      '-Acme (West),7,,',
      'Cranes,#REF!,,',
      'Total,,,2',
    ].join('\n');
    const { lines, rows, bad, columns } = judge('vendors', text);
    expect(lines).toEqual([3, 4, 5]);
    expect(rows[1]).toEqual({ name: '-Acme (West)', origin_id: '7' });
    expect(bad.map(({ line, column, why }) => [line, column, why])).toEqual([
      [
        3,
        'Number in another system',
        'Excel shortened this number: format the column as Text and enter the number again',
      ],
      [5, 'Number in another system', 'an error of the spreadsheet, not a value: correct the cell'],
    ]);
    expect(leftOut('vendors', tableOf(text).heading, columns)).toEqual({
      unknown: [],
      equal: ['Column C “Name”'],
    });
  });

  it('Excel’s own days and times are moments of this laptop’s clock', () => {
    const days = ['1/31/2026 12:00:00 AM', '31-Jan-26 8:15 PM', '46053.34375', 'January 31, 2026'];
    const text = ['Name;When', ...days.map((day) => `T;${day}`)].join('\n');
    expect(judge('incidents', text).rows.map((row) => row['event_date'])).toEqual(
      ['00:00', '20:15', '08:15', '00:00'].map((at) => new Date(`2026-01-31T${at}`).toISOString()),
    );
  });

  it('a file without names, or of too many rows, is refused whole', () => {
    expect(judge('vendors', 'colour\nblue\n').refusal).toBe('The file has no column “Name”.');
    const many = Array.from({ length: 10_001 }, (_, at) => `V ${at}`);
    expect(judge('vendors', ['name', ...many].join('\n')).refusal).toContain('10,001 rows');
  });

  it('incidents: a day of this laptop’s clock, a state in both languages, people by number; what is wrong is told', () => {
    const { rows } = judge(
      'incidents',
      'Number in the project,Name,When,Status,Private,Numbers of the people who see it\n' +
        '7,Pit,2026-01-10 08:15,cerrado,yes,12|13\n,Trench,2026-01-10,Open,,\n',
    );
    expect(rows).toEqual([
      {
        number: 7,
        title: 'Pit',
        event_date: new Date('2026-01-10T08:15').toISOString(),
        status: 'closed',
        private: true,
        people_ids: [12, 13],
      },
      { title: 'Trench', event_date: new Date('2026-01-10T00:00').toISOString(), status: 'open' },
    ]);
    const { bad } = judge('incidents', 'title,event_date,status,private\n,soon,gone,perhaps\n');
    expect(bad.map(({ column, why }) => [column, why])).toEqual([
      ['When', 'not a date and time: write it as 2026-01-31 08:15'],
      ['Private', 'write yes or no'],
      ['Status', 'write open or closed'],
      ['Name', 'missing'],
    ]);
  });

  it('the template is read again as it was written, of every kind', () => {
    for (const of of ['incidents', 'people', 'documents', 'custom_field_definitions'] as const) {
      const { heading } = tableOf(`${templateOf(of)}${'x,'.repeat(9)}\n`);
      expect(matchColumns(of, heading)).not.toContain(null);
    }
  });
});
