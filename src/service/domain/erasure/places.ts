/**
 * [ours] The tables with texts that an erasure searches row by row (decisions §21.1). Near misses, users and copies have separate
 * rules. A new table or column with texts of people belongs here: test/service/retention/erasures.test.ts fails without it.
 */
import {
  companyRecordKindNames,
  type CompanyRecordKind,
} from '../../../contract/rest/company-records.ts';
import type { HitKind } from '../../../contract/rest/retention/erasures.ts';
import type { TextTable } from '../../store/erasure/texts.ts';
import { recordKind } from '../company/company-record-kinds.ts';
import { insuranceTexts } from '../company/insurances.ts';
import { REMOVED } from '../retention/anonymised.ts';

export interface Place extends TextTable {
  readonly kind: HitKind;
  /** What stays of each column when its text is erased. */
  readonly emptied: Readonly<Record<string, string | null>>;
  /** True if a change of it is one of the record: version and `updated_at` move. */
  readonly versioned?: boolean;
  /** True if a program depends on the text: the preview proposes to keep it, and it takes no pseudonym. */
  readonly delicate?: boolean;
}

const place = (
  kind: HitKind,
  table: Place['table'],
  emptied: Place['emptied'],
  more: Partial<Place> = {},
): Place => ({ kind, table, keys: ['id'], columns: Object.keys(emptied), emptied, ...more });

/** People and parties are one place each, with all their texts. */
const isPerson = (name: CompanyRecordKind): boolean => name === 'people' || name === 'parties';

const companyRecords = companyRecordKindNames
  .filter((name) => !isPerson(name))
  .map((name) =>
    place('company_data', name, {
      [recordKind(name).name]: REMOVED,
      origin_id: null,
      ...(name === 'custom_field_definitions' ? { options: '[]' } : {}),
    }),
  );

export const isCompanyRecord = (table: string): table is CompanyRecordKind =>
  companyRecordKindNames.some((name) => name === table);

export const places: readonly Place[] = [
  place('incident', 'incidents', { title: REMOVED, description: '', location: null }),
  place(
    'company_data',
    'companies',
    { name: REMOVED, help_contact: null, privacy_notice: null },
    { company: 'id' },
  ),
  ...companyRecords,
  place('company_data', 'insurances', insuranceTexts, { versioned: true }),
  place('company_data', 'plans', { name: REMOVED, number: null }, { versioned: true }),
  place('company_data', 'plan_revisions', { label: null }),
  place(
    'access',
    'webhook_hooks',
    { namespace: 'erased', destination_url: 'https://erased.invalid/' },
    { versioned: true, delicate: true },
  ),
];

/** The tables of copies, each one place as a whole. Their texts go where the name is in them. */
export const copies = {
  idempotency_keys: {
    table: 'idempotency_keys',
    keys: ['user_id', 'method', 'path', 'key'],
    columns: ['body', 'headers'],
  },
  webhook_deliveries: {
    table: 'webhook_deliveries',
    keys: ['id'],
    columns: ['response_headers', 'response_error', 'response_body'],
  },
  mails: { table: 'mails', keys: ['id'], columns: ['figures', 'error'] },
} as const satisfies Readonly<Record<string, TextTable>>;

export type CopyTable = keyof typeof copies;
export const copyTables = Object.keys(copies) as CopyTable[];
