/**
 * Pure: what a file of insurances would do: its columns as fields, its cells as values, and of every row whether it would make a
 * new insurance, change one that is there, change nothing, or cannot be sent and why (decisions §8: an id or else an origin_id
 * chooses the record). An empty cell leaves its field as it is.
 */
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
import type { CsvTable } from '../csv-read.ts';
import { type DayOrder, readDay } from '../days.ts';

export type CsvField = InsuranceField | 'id';
export const CSV_FIELDS: readonly CsvField[] = ['id', ...INSURANCE_FIELDS];

/** Names a column may have beside the field's own and its label, folded. */
const OTHER_NAMES: Readonly<Partial<Record<CsvField, readonly string[]>>> = {
  id: ['insuranceid'],
  name: ['insuranceprovider', 'insurer', 'provider', 'carrier', 'insurancecompany'],
  insurance_type: ['type', 'kind', 'coverage', 'coveragetype'],
  policy_number: ['policy', 'policyno', 'policynr', 'policynum'],
  limit: ['amount', 'coveragelimit', 'limitamount'],
  effective_date: ['effective', 'start', 'startdate', 'begins', 'validfrom', 'from'],
  expiration_date: [
    'expiration',
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

/** The field that each column most likely is; null: left out. No field stands for two columns. */
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

/** Why a cell is not taken; the words for it are `words.insurances.csv.wrong`. */
export type Wrong =
  | 'date'
  | 'date_unclear'
  | 'limit'
  | 'limit_unclear'
  | 'flag'
  | 'status'
  | 'id'
  | 'unknown_id'
  | 'formula'
  | 'too_long'
  | 'nothing'
  | 'cells';

type Cell = { readonly value: string | number | boolean } | { readonly wrong: Wrong };

const dayCell = (text: string, order: DayOrder | null): Cell => {
  const read = readDay(text, order);
  if ('wrong' in read) return read;
  // A spreadsheet's midnight; what else stands behind a day is no day.
  return /^([T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?)?$/.test(read.rest)
    ? { value: read.day }
    : { wrong: 'date' };
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
  } else if (separators === ',') {
    // 1,000 is a thousand here and one there.
    if (grouped(',')) return { wrong: 'limit_unclear' };
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
  wahr: true,
  no: false,
  n: false,
  false: false,
  0: false,
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

/** A cell that a spreadsheet would compute. One that another program made harmless begins with an apostrophe. */
const isFormula = (text: string): boolean => /^[=@\t\r]/.test(text) || /^[+-].*[(|!]/.test(text);

/** How a file is to be read: its words for the statuses, and the order in its dates, null where nothing tells it. */
export interface HowRead {
  readonly statuses: Readonly<Record<string, string>>;
  readonly order: DayOrder | null;
}

const cellOf = (field: CsvField, raw: string, { statuses, order }: HowRead): Cell => {
  if (isFormula(raw)) return { wrong: 'formula' };
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

export interface RowError {
  /** Null: the row as a whole. */
  readonly field: CsvField | null;
  readonly wrong: Wrong | { readonly same_as: number };
}

export interface RowChange {
  readonly field: InsuranceField;
  /** Null of a new insurance. */
  readonly from: string | boolean | null;
  readonly to: string | boolean | null;
}

export interface PlannedRow {
  readonly row: number;
  readonly what: 'create' | 'update' | 'same' | 'bad';
  readonly name: string;
  readonly item: InsuranceSyncItem;
  readonly changes: readonly RowChange[];
  readonly errors: readonly RowError[];
  /** A new one that looks like one that is there: its policy number is the same. */
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
    if (field === null || raw === '') continue;
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

/** The cells of a file that say a day. */
export const dayCells = (
  { rows }: CsvTable,
  columns: readonly (CsvField | null)[],
): readonly string[] => {
  const days = columns.flatMap((field, at) =>
    field === 'effective_date' || field === 'expiration_date' ? [at] : [],
  );
  return rows.flatMap(({ cells }) => days.map((at) => cells[at] ?? ''));
};

/** @param known of the vendor, as this laptop knows it; those that were never sent cannot be meant by a file */
export const planRows = (
  table: CsvTable,
  columns: readonly (CsvField | null)[],
  known: readonly InsuranceView[],
  how: HowRead,
): readonly PlannedRow[] => {
  const byId = new Map(known.flatMap((view) => (view.server_id ? [[view.server_id, view]] : [])));
  const byOrigin = new Map(
    known.flatMap((view) => (view.fields.origin_id ? [[view.fields.origin_id, view]] : [])),
  );
  const policies = new Map(
    known.flatMap((view) => (view.fields.policy_number ? [[view.fields.policy_number, view]] : [])),
  );
  const seen = new Map<string, number>();
  return table.rows.map(({ row, cells }): PlannedRow => {
    const { item, errors } = itemOf(cells, columns, how);
    const { id, ...fields } = item as InsuranceSyncItem;
    const meant = id ? byId.get(id) : byOrigin.get(fields.origin_id ?? '');
    if (id && !meant) errors.push({ field: 'id', wrong: 'unknown_id' });
    const chosen = meant ? meant.key : fields.origin_id ? `origin ${fields.origin_id}` : null;
    const before = chosen === null ? undefined : seen.get(chosen);
    if (before !== undefined) errors.push({ field: null, wrong: { same_as: before } });
    else if (chosen !== null) seen.set(chosen, row);
    const changes = (Object.keys(fields) as InsuranceField[]).flatMap((field): RowChange[] => {
      const to = fields[field] ?? null;
      const from = meant?.fields[field] ?? null;
      return meant && sameValue(field, from, to) ? [] : [{ field, from, to }];
    });
    const shown = { ...meant?.fields, ...fields } as InsuranceView['fields'];
    const like = meant ? undefined : policies.get(fields.policy_number ?? '');
    return {
      row,
      changes,
      errors,
      item: item as InsuranceSyncItem,
      name: insuranceName(shown),
      what: errors.length > 0 ? 'bad' : !meant ? 'create' : changes.length > 0 ? 'update' : 'same',
      like: like ? insuranceName(like.fields) : null,
    };
  });
};

/** A file to fill in: the fields' labels as its heading, with a byte order mark, so that every spreadsheet reads accents. */
export const templateCsv = (labels: Readonly<Record<CsvField, string>>): string => {
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const heading = CSV_FIELDS.filter((field) => field !== 'id').map((field) => labels[field]);
  return `\ufeff${heading.map(quoted).join(',')}\r\n`;
};
