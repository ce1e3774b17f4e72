/**
 * Plans the import of a file of insurances: maps columns to fields and cells to values, and classifies each row as create,
 * update, unchanged or invalid with the reason (decisions §8: an id, else an origin_id, chooses the record). An empty cell leaves
 * its field unchanged. With a vendor column, one file holds the policies of many vendors. Pure.
 */
import { bareWord } from '../../../../contract/import-cells.ts';
import {
  insuranceStatuses,
  type InsuranceSyncItem,
  insuranceWrite,
} from '../../../../contract/rest/insurances.ts';
import {
  INSURANCE_FIELDS,
  type InsuranceField,
  insuranceName,
  type InsuranceView,
} from '../../../data/company/insurance-rows.ts';
import { type DayOrder, readDay, readTime } from '../days.ts';
import { type SheetTable, spoiledBy } from '../spreadsheet/spreadsheet.ts';

export type CsvField = InsuranceField | 'id' | 'vendor';
export const CSV_FIELDS: readonly CsvField[] = ['vendor', 'id', ...INSURANCE_FIELDS];

/** Further folded names of a column, besides the field's name and label. */
const OTHER_NAMES: Readonly<Partial<Record<CsvField, readonly string[]>>> = {
  vendor: [
    'vendorname',
    'vendornumber',
    'vendorno',
    'vendorid',
    'subcontractor',
    'subcontractorname',
    'contractor',
    'supplier',
  ],
  id: ['insuranceid'],
  name: ['insuranceprovider', 'insurer', 'provider', 'carrier', 'insurancecompany'],
  insurance_type: ['type', 'kind', 'coverage', 'coveragetype'],
  policy_number: ['policy', 'policyno', 'policynr', 'policynum'],
  limit: ['amount', 'coveragelimit', 'limitamount'],
  effective_date: [
    'effective',
    'effdate',
    'policyeffectivedate',
    'start',
    'startdate',
    'begins',
    'validfrom',
    'from',
  ],
  expiration_date: [
    'expiration',
    'expdate',
    'policyexpirationdate',
    'expiry',
    'expirydate',
    'expires',
    'end',
    'enddate',
    'ends',
    'validto',
    'validuntil',
    'until',
  ],
  enable_expired_insurance_notifications: ['notify', 'notifications'],
  origin_id: ['origin', 'originnumber', 'externalid'],
  notes: ['note', 'comment', 'comments', 'remarks'],
};

const folded = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');

/** The most likely field of each column; null: not imported. Each field is used once. */
export const guessColumns = (
  heading: readonly string[],
  labels: Readonly<Record<CsvField, string>>,
): readonly (CsvField | null)[] => {
  const free = new Set(CSV_FIELDS);
  return heading.map((name) => {
    const wanted = folded(name);
    const field =
      wanted === ''
        ? undefined
        : [...free].find((one) =>
            [one, labels[one], ...(OTHER_NAMES[one] ?? [])].map(folded).includes(wanted),
          );
    if (field === undefined) return null;
    free.delete(field);
    return field;
  });
};

/** Why a cell is refused; `words.insurances.csv.wrong` has the words. */
type Wrong =
  | 'date'
  | 'date_unclear'
  | 'limit'
  | 'limit_unclear'
  | 'flag'
  | 'status'
  | 'id'
  | 'unknown_id'
  | 'formula'
  | 'cut_number'
  | 'cell_error'
  | 'no_vendor'
  | 'unknown_vendor'
  | 'several_vendors'
  | 'too_long'
  | 'nothing'
  | 'cells';

type Cell = { readonly value: string | number | boolean } | { readonly wrong: Wrong };

const dayCell = (text: string, order: DayOrder | null): Cell => {
  const read = readDay(text, order);
  if ('wrong' in read) return read;
  // Accept a time after the day, such as a spreadsheet's midnight. Any other text makes it no date.
  const is_time = /^T\d\d:\d\d(:\d\d(\.\d+)?)?Z?$/.test(read.rest) || readTime(read.rest) !== null;
  return is_time ? { value: read.day } : { wrong: 'date' };
};

const amount = (text: string): Cell => {
  const bare = text.replaceAll(
    /[\s\u00a0\u202f'’]|^(USD|EUR|GBP|US\$|[$€£])|(USD|EUR|GBP|[$€£])$/gi,
    '',
  );
  if (!/^[\d.,]+$/.test(bare)) return { wrong: 'limit' };
  const separators = bare.replaceAll(/\d/g, '');
  const grouped = (mark: string): boolean => new RegExp(`^\\d{1,3}(\\${mark}\\d{3})+$`).test(bare);
  let plain = bare;
  if (separators.includes('.') && separators.includes(',')) {
    const decimal = bare.lastIndexOf('.') > bare.lastIndexOf(',') ? '.' : ',';
    const [whole = '', rest = ''] = [
      bare.slice(0, bare.lastIndexOf(decimal)),
      bare.slice(bare.lastIndexOf(decimal) + 1),
    ];
    const group = decimal === '.' ? ',' : '.';
    if (!new RegExp(`^\\d{1,3}(\\${group}\\d{3})+$`).test(whole)) return { wrong: 'limit' };
    plain = `${whole.replaceAll(group, '')}.${rest}`;
  } else if (separators.length > 1) {
    if (!grouped(separators[0] ?? '')) return { wrong: 'limit' };
    plain = bare.replaceAll(separators[0] ?? '', '');
  } else if (separators !== '') {
    // 1,000 and 1.000 are a thousand in some countries and one in others.
    if (grouped(separators)) return { wrong: 'limit_unclear' };
    plain = bare.replace(',', '.');
  }
  return /^\d{1,20}(\.\d{1,6})?$/.test(plain) ? { value: plain } : { wrong: 'limit' };
};

const FLAGS: Readonly<Record<string, boolean>> = {
  yes: true,
  y: true,
  true: true,
  1: true,
  x: true,
  si: true,
  tak: true,
  wahr: true,
  no: false,
  n: false,
  false: false,
  0: false,
  nie: false,
  falsch: false,
};

const flag = (text: string): Cell => {
  const value = FLAGS[folded(text)];
  return value === undefined ? { wrong: 'flag' } : { value };
};

const statusOf = (text: string, labels: Readonly<Record<string, string>>): Cell => {
  const wanted = folded(text);
  const value = insuranceStatuses.find((one) =>
    [one, labels[one] ?? ''].map(folded).includes(wanted),
  );
  return value === undefined ? { wrong: 'status' } : { value };
};

/**
 * True if a spreadsheet program would compute the cell. After a sign only a function, another sheet or a program counts: `-Acme
 * (West)` is a name. A formula that another program neutralised begins with an apostrophe.
 */
const isFormula = (text: string): boolean =>
  /^[=@\t\r]/.test(text) || /^[+-](?:[A-Z][A-Z\d.]*\(|.*[|!])/.test(text);

/** How to read a file: its words for the statuses, and the order of its dates, null if unknown. */
export interface HowRead {
  readonly statuses: Readonly<Record<string, string>>;
  readonly order: DayOrder | null;
  /** Vendor of every row if the file has no vendor column. Null: the file must name the vendors. */
  readonly vendor_id: number | null;
  /** Vendors that a row may name. Empty if the server has no list; a row then gives the number. */
  readonly vendors: readonly { readonly id: number; readonly name: string }[];
}

/** Finds the vendor named in a cell, by its name ignoring case and accents, or by its number. */
const vendorOf = (text: string, vendors: HowRead['vendors']): number | Wrong => {
  if (text === '') return 'no_vendor';
  const named = vendors.filter(({ name }) => bareWord(name) === bareWord(text));
  const [first] = named;
  if (first !== undefined) return named.length === 1 ? first.id : 'several_vendors';
  const id = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
  const known = vendors.length === 0 || vendors.some((one) => one.id === id);
  return id !== null && known ? id : 'unknown_vendor';
};

type SentField = Exclude<CsvField, 'vendor'>;

const cellOf = (field: SentField, raw: string, { statuses, order }: HowRead): Cell => {
  if (isFormula(raw)) return { wrong: 'formula' };
  const spoiled = spoiledBy(raw);
  if (spoiled !== null && field !== 'limit') return { wrong: spoiled };
  const text = /^'[=@+\-\t\r]/.test(raw) ? raw.slice(1) : raw;
  switch (field) {
    case 'id':
      return /^[1-9]\d{0,14}$/.test(text) ? { value: Number(text) } : { wrong: 'id' };
    case 'effective_date':
    case 'expiration_date':
      return dayCell(text, order);
    case 'limit':
      return amount(text);
    case 'exempt':
    case 'info_received':
    case 'enable_expired_insurance_notifications':
      return flag(text);
    case 'status':
      return statusOf(text, statuses);
    default:
      return insuranceWrite.shape[field].safeParse(text).success
        ? { value: text }
        : { wrong: 'too_long' };
  }
};

interface RowError {
  /** Null if the error concerns the whole row. */
  readonly field: CsvField | null;
  readonly wrong: Wrong | { readonly same_as: number };
}

interface RowChange {
  readonly field: InsuranceField;
  /** Null for a new insurance. */
  readonly from: string | boolean | null;
  readonly to: string | boolean | null;
}

export interface PlannedRow {
  readonly row: number;
  readonly vendor_id: number;
  readonly what: 'create' | 'update' | 'same' | 'bad';
  readonly name: string;
  readonly item: InsuranceSyncItem;
  readonly changes: readonly RowChange[];
  readonly errors: readonly RowError[];
  /** Name of an existing insurance with the same policy number as this new one. */
  readonly like: string | null;
}

const itemOf = (
  cells: readonly string[],
  columns: readonly (CsvField | null)[],
  how: HowRead,
): { readonly item: Record<string, unknown>; readonly errors: RowError[] } => {
  const item: Record<string, unknown> = {};
  const errors: RowError[] = [];
  for (const [at, field] of columns.entries()) {
    const raw = cells[at] ?? '';
    if (field === null || field === 'vendor' || raw === '') continue;
    const cell = cellOf(field, raw, how);
    if ('wrong' in cell) errors.push({ field, wrong: cell.wrong });
    else item[field] = cell.value;
  }
  if (cells.slice(columns.length).some((cell) => cell !== ''))
    errors.push({ field: null, wrong: 'cells' });
  if (errors.length === 0 && Object.keys(item).length === 0)
    errors.push({ field: null, wrong: 'nothing' });
  return { item, errors };
};

const sameValue = (field: InsuranceField, a: unknown, b: unknown): boolean =>
  field === 'limit' && a && b ? Number(a) === Number(b) : (a ?? '') === (b ?? '');

export const dayCells = (
  { rows }: SheetTable,
  columns: readonly (CsvField | null)[],
): readonly string[] => {
  const days = columns.flatMap((field, at) =>
    field === 'effective_date' || field === 'expiration_date' ? [at] : [],
  );
  return rows.flatMap(({ cells }) => days.map((at) => cells[at] ?? ''));
};

/** Indexes the known insurances by the keys that a row may use. */
const indexOf = (known: readonly InsuranceView[]) => {
  const by = (valueOf: (view: InsuranceView) => unknown) =>
    new Map(known.map((view) => [`${view.vendor_id} ${String(valueOf(view) ?? '')}`, view]));
  const [ids, origins, policies] = [
    by((view) => view.server_id),
    by(({ fields }) => fields.origin_id),
    by(({ fields }) => fields.policy_number),
  ];
  const find =
    (index: ReadonlyMap<string, InsuranceView>) =>
    (vendor: number, value: unknown): InsuranceView | undefined =>
      value ? index.get(`${vendor} ${String(value)}`) : undefined;
  return { byId: find(ids), byOrigin: find(origins), byPolicy: find(policies) };
};

/**
 * @param known insurances of all vendors on this laptop. One that was never sent has no key in a file, so no row
 * matches it.
 */
export const planRows = (
  table: SheetTable,
  columns: readonly (CsvField | null)[],
  known: readonly InsuranceView[],
  how: HowRead,
): readonly PlannedRow[] => {
  const { byId, byOrigin, byPolicy } = indexOf(known);
  const vendor_at = columns.indexOf('vendor');
  const seen = new Map<string, number>();
  return table.rows.map(({ row, cells }): PlannedRow => {
    const { item, errors } = itemOf(cells, columns, how);
    const named =
      vendor_at < 0
        ? (how.vendor_id ?? 'no_vendor')
        : vendorOf(cells[vendor_at] ?? '', how.vendors);
    if (typeof named === 'string') errors.push({ field: 'vendor', wrong: named });
    const vendor_id = typeof named === 'string' ? 0 : named;
    const { id, ...fields } = item as InsuranceSyncItem;
    const meant = id ? byId(vendor_id, id) : byOrigin(vendor_id, fields.origin_id);
    if (id && !meant && vendor_id > 0) errors.push({ field: 'id', wrong: 'unknown_id' });
    const by_origin = fields.origin_id ? `origin ${vendor_id} ${fields.origin_id}` : null;
    const chosen = meant ? meant.key : by_origin;
    const before = chosen === null ? undefined : seen.get(chosen);
    if (before !== undefined) errors.push({ field: null, wrong: { same_as: before } });
    else if (chosen !== null) seen.set(chosen, row);
    const changes = (Object.keys(fields) as InsuranceField[]).flatMap((field): RowChange[] => {
      const to = fields[field] ?? null;
      const from = meant?.fields[field] ?? null;
      return meant && sameValue(field, from, to) ? [] : [{ field, from, to }];
    });
    const shown = { ...meant?.fields, ...fields } as InsuranceView['fields'];
    const like = meant ? undefined : byPolicy(vendor_id, fields.policy_number);
    return {
      row,
      vendor_id,
      changes,
      errors,
      item: item as InsuranceSyncItem,
      name: insuranceName(shown),
      what: errors.length > 0 ? 'bad' : !meant ? 'create' : changes.length > 0 ? 'update' : 'same',
      like: like ? insuranceName(like.fields) : null,
    };
  });
};

/** An empty template with the fields' labels as heading. The byte order mark makes every spreadsheet program read accents. */
export const templateCsv = (labels: Readonly<Record<CsvField, string>>): string => {
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const heading = CSV_FIELDS.filter((field) => field !== 'id' && field !== 'vendor').map(
    (field) => labels[field],
  );
  return `\ufeff${heading.map(quoted).join(',')}\r\n`;
};
