/**
 * CSV files of insurances: accepts what spreadsheets write, and refuses with an explanation if a value would have to be guessed
 * (decisions §8).
 */
import { describe, expect, it } from 'vitest';
import { insuranceSyncItem } from '../../../src/contract/rest/insurances.ts';
import {
  fieldsOfInsurance,
  type InsuranceView,
  newInsurance,
} from '../../../src/renderer/data/company/insurance-rows.ts';
import {
  guessColumns,
  dayCells,
  planRows,
  templateCsv,
} from '../../../src/renderer/screens/company/insurances/csv-plan.ts';
import { readCsv } from '../../../src/renderer/screens/company/spreadsheet/csv-read.ts';
import {
  findHeading,
  SHEET_MAX_ROWS,
  type SheetTable,
  tableOf,
} from '../../../src/renderer/screens/company/spreadsheet/spreadsheet.ts';
import {
  dayOf,
  inOrder,
  labels,
  standingOf,
  wrongIn,
} from '../../../src/renderer/screens/company/insurances/view.ts';
import {
  type DayOrder,
  guessOrder,
  needsOrder,
} from '../../../src/renderer/screens/company/days.ts';
import { words } from '../../../src/renderer/words/company-words.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const sheetOf = (text: string | Uint8Array) => {
  const read = readCsv(typeof text === 'string' ? utf8(text) : text);
  if (!read.ok) throw new Error(JSON.stringify(read.refusal));
  return read.sheet;
};
const known_names = (cells: readonly string[]): number =>
  guessColumns(cells, labels()).filter((field) => field !== null).length;
const table = (text: string | Uint8Array): SheetTable => {
  const sheet = sheetOf(text);
  return tableOf(sheet, findHeading(sheet, known_names));
};
const refusal = (text: string | Uint8Array) => {
  const read = readCsv(typeof text === 'string' ? utf8(text) : text);
  return read.ok ? null : read.refusal;
};
const known = (id: number, change: Partial<InsuranceView['fields']>): InsuranceView => ({
  key: `k${id}`,
  vendor_id: 1,
  server_id: id,
  server: { id },
  waiting: [],
  of_file: false,
  fields: { ...fieldsOfInsurance({}), ...change },
  undeleted: null,
});
const vendors = [
  { id: 1, name: 'Beam Steel, Inc.' },
  { id: 2, name: 'Cranes' },
  { id: 3, name: 'cranes' },
];
const plan = (text: string, rows: readonly InsuranceView[] = [], said: DayOrder | null = null) => {
  const read = table(text);
  const columns = guessColumns(read.heading, labels());
  const order = said ?? guessOrder(dayCells(read, columns));
  return planRows(read, columns, rows, {
    statuses: words.insurances.status,
    order,
    vendor_id: 1,
    vendors,
  });
};
/** The parsed value of a one-column file. */
const cell = (column: string, value: string) => {
  const [row] = plan(`Insurer,${column}\nX,"${value.replaceAll('"', '""')}"`);
  return row?.errors[0]?.wrong ?? Object.values(row?.item ?? {}).at(-1);
};

describe('reading a file', () => {
  it('takes commas, semicolons, tabs, a separator line, empty lines, quotes and a byte order mark', () => {
    const rows = [['a;b', 'two\nlines "so"']];
    for (const text of [
      'Insurer,Notes\n"a;b","two\nlines ""so"""\n',
      '\ufeffInsurer;Notes\r\n\r\n"a;b";"two\nlines ""so"""\r\n',
      'Insurer\tNotes\n"a;b"\t"two\nlines ""so"""',
      'sep=;\nInsurer;Notes\n"a;b";"two\nlines ""so"""',
    ]) {
      const read = table(text);
      expect(read.heading).toEqual(['Insurer', 'Notes']);
      expect(read.rows.map(({ cells }) => cells)).toEqual(rows);
    }
  });

  it('reads UTF-8, UTF-16 and, with a note, Windows-1252', () => {
    const text = 'Insurer,Notes\nÖsterreich,é';
    const utf16 = new Uint8Array(2 + text.length * 2);
    utf16.set([0xff, 0xfe]);
    for (let at = 0; at < text.length; at += 1)
      new DataView(utf16.buffer).setUint16(2 + at * 2, text.charCodeAt(at), true);
    const latin = Uint8Array.from(text, (char) => char.charCodeAt(0));
    expect(
      [utf8(text), utf16, utf16.slice(2), latin].map((bytes) => sheetOf(bytes).encoding),
    ).toEqual(['utf-8', 'utf-16', 'utf-16', 'windows-1252']);
    for (const bytes of [utf8(text), utf16, utf16.slice(2), latin])
      expect(table(bytes).rows[0]?.cells).toEqual(['Österreich', 'é']);
  });

  it('refuses what is no table, saying where', () => {
    expect(refusal('')).toEqual({ kind: 'empty' });
    expect(refusal(' \n \n')).toEqual({ kind: 'empty' });
    expect(refusal('Insurer,Limit\n')).toEqual({ kind: 'no_rows' });
    expect(refusal(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0, 0]))).toEqual({ kind: 'not_text' });
    expect(refusal('Insurer,Limit\nA,1\n"B,2\n')).toMatchObject({ kind: 'quotes', row: 3 });
    const many = `Insurer\n${'A\n'.repeat(SHEET_MAX_ROWS + 1)}`;
    expect(refusal(many)).toEqual({ kind: 'too_many' });
  });

  it('reads and plans 10,000 rows', () => {
    const rows = Array.from({ length: 10_000 }, (_, n) => `Insurer ${n},P-${n},${n}.00,2030-01-01`);
    const planned = plan(`Insurer,Policy number,Limit,Ends\n${rows.join('\n')}`);
    expect(planned.filter(({ what }) => what === 'create')).toHaveLength(10_000);
  });
});

const LOG = [
  'Certificate of insurance log 2026;;;;',
  'Updated 26-Nov-26;;;;',
  'Insurer;Policy Number;Effective Date;Expiration Date;Limit',
  'North Mutual;GL-0001;1-Jan-26;31-Dec-26;$1,000,000',
  'Harbour Casualty;AU-0002;"January 1, 2026";12/31/26;2,000,000.00',
  'Total;;;;3,000,000.00',
].join('\r\n');

describe('failures A61: a firm’s own log', () => {
  it('title, date of the list, heading, totals: two policies and nothing else', () => {
    expect(table(LOG)).toMatchObject({ heading_row: 3, totals: [6] });
    expect(plan(LOG).map(({ row, what, item }) => [row, what, item])).toEqual([
      [
        4,
        'create',
        {
          name: 'North Mutual',
          policy_number: 'GL-0001',
          effective_date: '2026-01-01',
          expiration_date: '2026-12-31',
          limit: '1000000',
        },
      ],
      [
        5,
        'create',
        {
          name: 'Harbour Casualty',
          policy_number: 'AU-0002',
          effective_date: '2026-01-01',
          expiration_date: '2026-12-31',
          limit: '2000000.00',
        },
      ],
    ]);
  });

  it('a company called Total stays, a heading of the next page goes, an unknown heading is guessed', () => {
    const text = 'Insurer;Policy;Limit\nTotal;P-1;5\nInsurer;Policy;Limit\nTotal;;5\nTotal;;\n';
    expect(table(text).rows.map(({ row }) => row)).toEqual([2, 5]);
    expect(table(text).totals).toEqual([4]);
    expect(table('List of things;;\nCarrier name;No.;Until when\nA;1;2\n').heading_row).toBe(2);
  });

  it('equal headings: the first is the field, the second is left out and can be chosen', () => {
    const text =
      'Vendor,Policy #,Exp Date,Policy #,Exp Date\nBeam Steel Inc,GL-1,12/31/2026,AU-2,6/30/2026\n';
    const { heading } = table(text);
    expect(guessColumns(heading, labels())).toEqual([
      'vendor',
      'policy_number',
      'expiration_date',
      null,
      null,
    ]);
    expect(plan(text)[0]).toMatchObject({
      what: 'create',
      vendor_id: 1,
      item: { policy_number: 'GL-1', expiration_date: '2026-12-31' },
    });
  });

  it('a column of vendors: each row goes to its vendor by name or number, or says why not', () => {
    const at_two = { ...known(9, { name: 'Axa', origin_id: 'o1' }), vendor_id: 2 };
    const rows = plan(
      'Vendor,Insurer,Origin number\nBEAM STEEL INC,Axa,o1\n2,Axa,o1\nCranes,Axa,\nNobody,Axa,\n,Axa,\n',
      [at_two],
    );
    expect(rows.map(({ what, vendor_id, errors }) => [what, vendor_id, errors[0]?.wrong])).toEqual([
      ['create', 1, undefined],
      ['same', 2, undefined],
      ['bad', 0, 'several_vendors'],
      ['bad', 0, 'unknown_vendor'],
      ['bad', 0, 'no_vendor'],
    ]);
    expect(rows[1]?.item).not.toHaveProperty('vendor');
  });
});

describe('cells', () => {
  it('dates: only what can mean one day', () => {
    const said = ['2030-05-01', '2030-5-1', '01.05.2030', '31/12/2030', '12/31/2030', '05/05/2030'];
    expect(said.map((text) => cell('Ends', text))).toEqual([
      '2030-05-01',
      '2030-05-01',
      '2030-05-01',
      '2030-12-31',
      '2030-12-31',
      '2030-05-05',
    ]);
    expect(cell('Ends', '2030-05-01 00:00:00')).toBe('2030-05-01');
    expect(cell('Ends', '04/05/2030')).toBe('date_unclear');
    for (const bad of ['30.02.2030', '2030-13-01', 'soon', '4761', '30-02-26', '31-Foo-26'])
      expect(cell('Ends', bad)).toBe('date');
  });

  it('dates as Excel itself writes them: its short and long forms, its own numbers, with a midnight', () => {
    const said = [
      '31-Dec-26',
      'December 31, 2026',
      'Thursday, December 31, 2026',
      '31 de diciembre de 2026',
      '31-dic.-26',
      '12/31/26',
      '31.12.26',
      '12/31/2026 12:00:00 AM',
      '46387',
      '46387.0',
    ];
    for (const text of said) expect([text, cell('Ends', text)]).toEqual([text, '2026-12-31']);
    expect(cell('Ends', '4/5/26')).toBe('date_unclear');
  });

  it('a number or a cell that Excel spoiled is no value; a name with a minus is no formula', () => {
    expect(cell('Policy number', '9.87654E+14')).toBe('cut_number');
    expect(cell('Notes', '#N/A')).toBe('cell_error');
    for (const name of ['-Acme (West)', '-Acme', '+49 30 (1234)'])
      expect(cell('Notes', name)).toBe(name);
  });

  it('day or month first: as the other dates of the file tell it, else as a person says, else told', () => {
    const ends = (days: readonly string[], said: DayOrder | null = null) =>
      plan(`Insurer,Starts,Ends\n${days.map((one) => `X,,${one}`).join('\n')}`, [], said).map(
        ({ item, errors }) => errors[0]?.wrong ?? item.expiration_date,
      );
    expect(ends(['04/05/2030', '31-12-2030'])).toEqual(['2030-05-04', '2030-12-31']);
    expect(ends(['04/05/2030', '12/31/2030'])).toEqual(['2030-04-05', '2030-12-31']);
    // Mixed formats of two offices: each unambiguous date is read.
    expect(ends(['04/05/2030', '12/31/2030', '31/12/2030'])).toEqual([
      'date_unclear',
      '2030-12-31',
      '2030-12-31',
    ]);
    expect(ends(['04/05/2030', '31/12/2030'], 'month_day')).toEqual(['2030-04-05', 'date']);
    expect(ends(['04/05/2030'], 'day_month')).toEqual(['2030-05-04']);
    expect([needsOrder(['2030-01-01', '']), needsOrder(['', '1/2/2030'])]).toEqual([false, true]);
  });

  it('amounts: thousands and decimals where they cannot be mistaken', () => {
    expect(
      ['1000000', '1,000,000.00', '1.000.000,50', '1 000 000', '$2,500,000', '12,5', '€ 7'].map(
        (text) => cell('Limit', text),
      ),
    ).toEqual(['1000000', '1000000.00', '1000000.50', '1000000', '2500000', '12.5', '7']);
    expect(cell('Limit', '1,000')).toBe('limit_unclear');
    expect(cell('Limit', '500.000')).toBe('limit_unclear');
    expect(cell('Limit', '250.000 €')).toBe('limit_unclear');
    for (const bad of ['a lot', '-5', '1,2,3', '1.0.0', '1e6'])
      expect(cell('Limit', bad)).toBe('limit');
  });

  it('flags, statuses, formulas, long texts', () => {
    expect(['yes', 'NO', 'true', '0', 'x'].map((text) => cell('Exempt', text))).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
    expect(cell('Exempt', 'maybe')).toBe('flag');
    expect(cell('Status', 'Not compliant')).toBe('non_compliant');
    expect(cell('Status', 'compliant_in_progress')).toBe('compliant_in_progress');
    expect(cell('Status', 'fine')).toBe('status');
    for (const bad of ['=1+1', '@SUM(A1)', "+cmd|' /C calc'!A0", '-SUM(1)'])
      expect(cell('Notes', bad)).toBe('formula');
    expect(cell('Notes', "'=1+1")).toBe('=1+1');
    expect(cell('Notes', '+49 30 1234')).toBe('+49 30 1234');
    expect(cell('Origin number', 'o'.repeat(256))).toBe('too_long');
  });
});

describe('decisions §8: what a row would do', () => {
  const there = [
    known(7, { name: 'Allianz', policy_number: 'A-1', limit: '100.00', origin_id: 'o7' }),
    known(8, { name: 'Axa', policy_number: 'X-1' }),
  ];

  it('a number or else an origin number chooses the record; an empty cell changes nothing', () => {
    const rows = plan(
      [
        'Number,Origin number,Insurer,Limit,Policy number',
        ',o7,,250,',
        '8,,Axa,,X-1',
        ',,Zurich,,A-1',
        '99,,Nobody,,',
        ',new,Generali,,',
        ',new,Generali again,,',
        '7,,Allianz,,',
        ',,,,',
      ].join('\n'),
      there,
    );
    expect(rows.map(({ row, what }) => [row, what])).toEqual([
      [2, 'update'],
      [3, 'same'],
      [4, 'create'],
      [5, 'bad'],
      [6, 'create'],
      [7, 'bad'],
      [8, 'bad'],
    ]);
    expect(rows[0]?.changes).toEqual([{ field: 'limit', from: '100.00', to: '250' }]);
    expect(rows[2]?.like).toBe('Allianz');
    expect(rows[3]?.errors).toEqual([{ field: 'id', wrong: 'unknown_id' }]);
    expect(rows[5]?.errors).toEqual([{ field: null, wrong: { same_as: 6 } }]);
    expect(rows[6]?.errors).toEqual([{ field: null, wrong: { same_as: 2 } }]);
    for (const { what, item } of rows)
      if (what !== 'bad') expect(insuranceSyncItem.safeParse(item).success).toBe(true);
  });

  it('more cells than columns is an error of the row, and columns left out are not sent', () => {
    const rows = plan('Insurer,Colour\nA,red\nB,blue,extra');
    expect(rows[0]?.item).toEqual({ name: 'A' });
    expect(rows[1]?.errors).toEqual([{ field: null, wrong: 'cells' }]);
  });

  it('the template’s own columns are all known', () => {
    const heading = table(`${templateCsv(labels())}x`).heading;
    expect(guessColumns(heading, labels())).not.toContain(null);
  });
});

describe('where an insurance stands', () => {
  const today = '2026-11-21';
  const on = (effective_date: string | null, expiration_date: string | null, exempt = false) =>
    standingOf({ ...newInsurance, effective_date, expiration_date, exempt }, today);

  it('by its dates and the server’s day, soon first', () => {
    expect(dayOf(Date.UTC(2026, 10, 21, 23, 59))).toBe(today);
    expect(on(null, '2026-11-21')).toEqual({ kind: 'expiring', days: 0 });
    expect(on(null, '2026-12-21')).toEqual({ kind: 'expiring', days: 30 });
    expect(on(null, '2026-12-22')).toEqual({ kind: 'active' });
    expect(on('2027-01-01', '2027-12-31')).toEqual({ kind: 'future' });
    expect(on(null, '2026-11-20')).toEqual({ kind: 'expired' });
    expect(on('2026-01-01', null)).toEqual({ kind: 'no_end' });
    expect(on(null, '2020-01-01', true)).toEqual({ kind: 'exempt' });
    const of = (id: number, expiration_date: string | null) => known(id, { expiration_date });
    const rows = [of(1, '2030-01-01'), of(2, null), of(3, '2026-01-01'), of(4, '2026-12-01')];
    expect(
      inOrder([...rows, of(5, '2026-11-25')], today).map(({ view }) => view.server_id),
    ).toEqual([3, 5, 4, 2, 1]);
  });

  it('decisions §8: a form is checked before it is saved', () => {
    const fields = { ...newInsurance, name: 'A' };
    expect(wrongIn(fields)).toEqual({});
    expect(Object.keys(wrongIn(newInsurance))).toEqual(['name']);
    expect(Object.keys(wrongIn({ ...fields, limit: '1,000' }))).toEqual(['limit']);
    const dates = { effective_date: '2026-05-01', expiration_date: '2026-04-01' };
    expect(Object.keys(wrongIn({ ...fields, ...dates }))).toEqual(['expiration_date']);
    expect(Object.keys(wrongIn({ ...fields, origin_id: 'x'.repeat(256) }))).toEqual(['origin_id']);
  });
});
