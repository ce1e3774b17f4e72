/** [ours] The report and the history of an evidence pack, as data (decisions §19.3, §19.4). Pure. */
import type { HistoryChange } from '../../../contract/rest/history/near-miss-history.ts';
import { eachField, textFields, type TextField } from '../../../contract/rest/near-miss-fields.ts';
import { customKey } from '../../../contract/text/field-by-label.ts';
import { knownNames } from '../../../contract/text/without-names.ts';
import type { StoredFields } from '../near-misses/custom-fields.ts';
import { wireTime, wireTimeOrNull } from '../near-misses/near-miss-view.ts';
import { maskerOf, namesInFields, noMask, type Masker } from './masking.ts';
import type { EvidenceRecord } from './record.ts';

/** A photo of the pack. */
export interface PackPhoto {
  /** Its name in the pack; null if its bytes are missing. */
  readonly file: string | null;
  readonly content_type: string;
  readonly size: number;
  readonly sha256: string;
  /** Null in a pack without names. */
  readonly filename: string | null;
}

const changesOf = ({ entries }: Pick<EvidenceRecord, 'entries'>): HistoryChange[] =>
  entries.flatMap(({ changes }) => JSON.parse(changes ?? '[]') as HistoryChange[]);

const valuesOf = ({ row }: EvidenceRecord) => JSON.parse(row.custom_fields) as StoredFields;

/** @param with_names false: names of people are replaced */
export const maskerFor = (record: EvidenceRecord, with_names: boolean): Masker => {
  if (with_names) return noMask;
  const { row, definitions, entries, beginning, names, former } = record;
  const values = valuesOf(record);
  const changes = changesOf(record);
  const involved = [
    row.author_name,
    row.creator_name,
    row.affected_party_name,
    row.affected_person_name,
    beginning.user_name,
    ...entries.map(({ user_name }) => user_name),
    ...former,
    ...namesInFields(definitions, (key) => [
      values[key.replace('custom_field_', '')] ?? null,
      ...changes.filter(({ field }) => field === key).flatMap(({ from, to }) => [from, to]),
    ]),
  ];
  const known = knownNames(
    involved.filter((name) => name !== null),
    names,
  );
  return maskerOf(definitions, known);
};

interface How {
  readonly masker: Masker;
  readonly with_names: boolean;
}

/** People have their id in a pack without names: the hashes of the history are made with it. */
const personIn =
  ({ with_names }: How) =>
  (id: number, name: string | null, login: string | null) =>
    with_names ? { id, name, login } : { id };

/** A firm, a machine or a job may be called after a person. */
const namedIn =
  ({ masker }: How) =>
  (id: number | null, name: string | null) =>
    id === null ? null : { id, name: name === null ? null : masker.text(name) };

const textsOf = ({ row }: EvidenceRecord, masker: Masker): Record<string, string> =>
  eachField<string, string>(textFields, (name) => masker.text(row[name as TextField]));

export const reportOf = (
  record: EvidenceRecord,
  how: How,
  photos: readonly PackPhoto[],
  ids: { readonly company_id: number; readonly project_id: number },
) => {
  const { row, definitions, company, project } = record;
  const { masker, with_names } = how;
  const person = personIn(how);
  const named = namedIn(how);
  const values = valuesOf(record);
  return {
    number: `${row.incident_number}-${row.number}`,
    id: row.id,
    company: { id: ids.company_id, name: company },
    project: { id: ids.project_id, name: masker.text(project) },
    incident: { id: row.incident_id, title: masker.text(row.incident_title) },
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
    deleted_at: wireTimeOrNull(row.deleted_at),
    reported_by: person(row.author_id, row.author_name, row.author_login),
    description: masker.text(row.description_plain_text),
    // A name may be split by tags, where it would not be found.
    ...(with_names ? { description_html: row.description } : {}),
    texts: textsOf(record, masker),
    harm_source: named(row.harm_source_id, row.harm_source_name),
    work_activity: named(row.work_activity_id, row.work_activity_name),
    managed_equipment: named(row.managed_equipment_id, row.managed_equipment_name),
    affected_company: named(row.affected_company_id, row.affected_company_name),
    affected_party:
      row.affected_party_id === null
        ? null
        : with_names
          ? { id: row.affected_party_id, name: row.affected_party_name }
          : { id: row.affected_party_id },
    affected_person:
      row.affected_person_id === null
        ? null
        : person(row.affected_person_id, row.affected_person_name, row.affected_person_login),
    custom_fields: definitions.flatMap((one) => {
      const value = values[String(one.id)];
      return value === undefined
        ? []
        : [{ id: one.id, label: one.label, value: masker.field(customKey(one), value) }];
    }),
    photos,
  };
};
export type PackReport = ReturnType<typeof reportOf>;

/** When an entry was redacted: the entry of that redaction names it, or that of the change that anonymised the record. */
const redactionsOf = (record: EvidenceRecord): ReadonlyMap<number, string> =>
  new Map(
    record.entries
      .filter(({ action }) => action === 'redacted' || action === 'anonymised')
      .flatMap(({ changes, at }) =>
        (JSON.parse(changes ?? '[]') as HistoryChange[])
          .filter(({ field, from }) => field === 'history' && typeof from === 'number')
          .map(({ from }) => [Number(from), wireTime(at)] as const),
      ),
  );

/** Oldest first. A masked entry has no salt, because with it a masked name could be found by trying. */
export const historyOf = (record: EvidenceRecord, how: How) => {
  const { beginning, entries } = record;
  const { masker } = how;
  const person = personIn(how);
  const redactions = redactionsOf(record);
  const clientOf = (client: string | null | undefined): string | null =>
    client ? masker.text(client) : null;
  return [
    {
      id: 0,
      at: wireTime(beginning.created_at),
      user: person(beginning.user_id, beginning.user_name, beginning.user_login),
      client: clientOf(beginning.created_with),
      action: 'created',
      changes: [] as HistoryChange[],
      redacted: false,
      redacted_on: null as string | null,
      masked: false,
      digest: null as string | null,
      salt: null as string | null,
      hash: null as string | null,
    },
    ...entries.map((row) => {
      const written = JSON.parse(row.changes ?? '[]') as HistoryChange[];
      const changes = masker.changes(written);
      const masked = JSON.stringify(changes) !== JSON.stringify(written);
      return {
        id: row.position,
        at: wireTime(row.at),
        user: person(row.user_id, row.user_name, row.user_login),
        client: clientOf(row.client),
        action: row.action,
        changes,
        redacted: row.changes === null,
        redacted_on: row.changes === null ? (redactions.get(row.position) ?? null) : null,
        masked,
        digest: row.digest,
        salt: masked ? null : row.salt,
        hash: row.hash,
      };
    }),
  ];
};
export type PackHistory = ReturnType<typeof historyOf>;
