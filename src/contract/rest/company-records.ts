/**
 * [ours] The company's own records: projects, people, vendors, equipment, documents, custom fields and the other choices of forms
 * (decisions §11). One table of kinds; each kind gets the same five endpoints from it.
 */
import { z } from 'zod';
import { customFieldDataTypes } from './catalog.ts';
import { described, filtersOf } from './protocol/described.ts';
import { dateTime, endpoint, id, pathId } from './protocol/endpoint.ts';
import {
  followFilters,
  followParameters,
  followSort,
  judgeFollowing,
} from './protocol/following.ts';
import { pagingQuery } from './protocol/paging.ts';

/** Maximum number of records in one import (decisions §11.5). */
export const IMPORT_MAX = 10_000;

const nameOf = (longest: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(longest, `must have at most ${longest} characters`);
/** Bounded because a database index stores the whole value. */
const originId = z.string().trim().min(1, 'must not be empty').max(255).nullable().optional();

const common = { origin_id: originId, active: z.boolean().optional() };
/** The only project with this record; null for every project of the company. It cannot change after creation. */
const ofProject = { project_id: id.nullable().optional() };

const shownToAll = {
  origin_id: z.string().nullable(),
  /** False means retired: no longer offered, but existing references stay. */
  active: z.boolean(),
  created_at: dateTime,
  updated_at: dateTime,
};
const shownOfProject = { project_id: id.nullable() };

const name = nameOf(255);
const named = { ...common, ...ofProject, name };
const shownNamed = { id, name: z.string(), ...shownOfProject, ...shownToAll };

const choices = z
  .array(nameOf(255))
  .max(200)
  .refine((all) => new Set(all).size === all.length, 'must not name a choice twice');

/** Describes one kind: its singular name in bodies, its writable fields, its create-only fields, and its response. */
const kind = <
  const One extends string,
  Write extends z.ZodRawShape,
  Once extends z.ZodRawShape,
  Shown extends z.ZodRawShape,
>(
  one: One,
  words: readonly [one: string, many: string],
  write: Write,
  shown: Shown,
  once: Once,
) => ({
  one,
  words,
  create: z.object({ ...write, ...once }),
  update: z.object({ ...write }).partial(),
  shown: z.object(shown),
  /** A row of an import. `id` chooses the record; an unknown column is an error. */
  row: z.strictObject({ id: id.optional(), ...write }).partial(),
});

const plain = <const One extends string>(one: One, words: readonly [string, string]) =>
  kind(one, words, named, shownNamed, {});

const lookup = <const One extends string>(one: One, words: readonly [string, string]) =>
  kind(one, words, named, { ...shownNamed, global: z.boolean() }, {});

export const companyRecordKinds = {
  projects: kind(
    'project',
    ['a project', 'the projects'],
    { ...common, name },
    { id, name: z.string(), ...shownToAll },
    {},
  ),
  people: kind(
    'person',
    ['a person', 'the people'],
    { ...named, login: z.string().trim().max(255).nullable().optional() },
    { ...shownNamed, login: z.string() },
    {},
  ),
  parties: kind(
    'party',
    ['a party', 'the parties'],
    named,
    { ...shownNamed, reference_user: z.boolean() },
    {},
  ),
  vendors: plain('vendor', ['a vendor', 'the vendors']),
  affected_companies: plain('affected_company', ['an affected company', 'the affected companies']),
  managed_equipment: plain('managed_equipment', ['a piece of equipment', 'the equipment']),
  harm_sources: lookup('harm_source', ['a harm source', 'the harm sources']),
  work_activities: lookup('work_activity', ['a work activity', 'the work activities']),
  time_and_material_entries: plain('time_and_material_entry', [
    'a time-and-material entry',
    'the time-and-material entries',
  ]),
  folders: plain('folder', ['a folder', 'the folders']),
  documents: kind(
    'document',
    ['a document', 'the documents'],
    { ...named, folder_id: id.nullable().optional() },
    { ...shownNamed, folder_id: id.nullable(), has_file: z.boolean() },
    /** A complete upload. Its file becomes the document's file. */
    { upload_uuid: z.string().max(100).optional() },
  ),
  custom_field_definitions: kind(
    'custom_field_definition',
    ['a custom field', 'the custom fields'],
    {
      ...common,
      ...ofProject,
      label: name,
      /** The type cannot change after creation, because values of that type are stored. */
      data_type: z.enum(customFieldDataTypes, `must be one of ${customFieldDataTypes.join(', ')}`),
      options: choices.optional(),
      required: z.boolean().optional(),
    },
    {
      id,
      label: z.string(),
      data_type: z.enum(customFieldDataTypes),
      options: z.array(z.string()),
      required: z.boolean(),
      ...shownOfProject,
      ...shownToAll,
    },
    {},
  ),
};

export type CompanyRecordKind = keyof typeof companyRecordKinds;
export const companyRecordKindNames = Object.keys(companyRecordKinds) as CompanyRecordKind[];

export const companyRecordImport = z.object({
  dry_run: z.boolean(),
  created: z.number().int(),
  updated: z.number().int(),
  unchanged: z.number().int(),
  /** Messages by `rows.<index>.<field>`. Only a dry run returns them here; a real import answers with a 422. */
  errors: z.record(z.string(), z.array(z.string())),
});
export type CompanyRecordImport = z.infer<typeof companyRecordImport>;

/** Rows are validated one by one, so the response reports every bad row (decisions §11.5). */
export const importBody = (row: z.ZodType) =>
  z.object({
    dry_run: z.boolean().optional(),
    rows: z.array(z.unknown().meta(described(row))).max(IMPORT_MAX),
  });

/** Nothing is deleted here, so a reader needs no deleted records. */
export const companyRecordListQuery = z
  .object({
    ...pagingQuery,
    after_id: followParameters.after_id,
    sort: followSort,
    filters: filtersOf({
      ...followFilters,
      active: z.enum(['true', 'false'], 'must be true or false').optional(),
      origin_id: z.string().max(255).optional(),
      query: z.string().max(1000).optional(),
    }).optional(),
  })
  .superRefine(judgeFollowing);
export type CompanyRecordQuery = z.output<typeof companyRecordListQuery>;

const tag = 'Company data';
const company = { company_id: pathId };

const endpointsOf = <K extends CompanyRecordKind>(of: K) => {
  type Spec = (typeof companyRecordKinds)[K];
  const { one, words, ...schemas } = companyRecordKinds[of];
  const shown = schemas.shown as Spec['shown'];
  const inside = <S extends z.ZodType>(schema: S) =>
    z.object({ [one]: schema } as Record<Spec['one'], S>);
  // TypeScript derives parameter names from the literal path. All kinds have the same names, so one literal serves all.
  const base = `/rest/v1.0/companies/{company_id}/${of as 'vendors'}` as const;
  const list = endpoint({
    method: 'GET',
    path: base,
    params: company,
    query: companyRecordListQuery,
    reply: z.array(shown),
    paging: 'link',
    extension: true,
    tag,
    summary: `List ${words[1]} of the company`,
  });
  const create = endpoint({
    method: 'POST',
    path: base,
    params: company,
    body: inside(schemas.create as Spec['create']),
    reply: shown,
    status: 201,
    extension: true,
    tag,
    summary: `Create ${words[0]}`,
  });
  const show = endpoint({
    method: 'GET',
    path: `${base}/{id}` as const,
    params: { ...company, id: pathId },
    reply: shown,
    cacheable: true,
    extension: true,
    tag,
    summary: `Show ${words[0]}`,
  });
  const update = endpoint({
    method: 'PATCH',
    path: `${base}/{id}` as const,
    params: { ...company, id: pathId },
    body: inside(schemas.update as Spec['update']),
    reply: shown,
    extension: true,
    tag,
    summary: `Change ${words[0]}; active: false retires it`,
  });
  const importMany = endpoint({
    method: 'POST',
    path: `${base}/import` as const,
    params: company,
    body: importBody(schemas.row),
    items: 'rows',
    reply: companyRecordImport,
    status: 200,
    extension: true,
    tag,
    summary: `Create or change many of ${words[1]}: all of them or none`,
  });
  return {
    [`${of}.list`]: list,
    [`${of}.create`]: create,
    [`${of}.show`]: show,
    [`${of}.update`]: update,
    [`${of}.import`]: importMany,
  } as Record<`${K}.list`, typeof list> &
    Record<`${K}.create`, typeof create> &
    Record<`${K}.show`, typeof show> &
    Record<`${K}.update`, typeof update> &
    Record<`${K}.import`, typeof importMany>;
};

export const companyRecordEndpoints = {
  ...endpointsOf('projects'),
  ...endpointsOf('people'),
  ...endpointsOf('parties'),
  ...endpointsOf('vendors'),
  ...endpointsOf('affected_companies'),
  ...endpointsOf('managed_equipment'),
  ...endpointsOf('harm_sources'),
  ...endpointsOf('work_activities'),
  ...endpointsOf('time_and_material_entries'),
  ...endpointsOf('folders'),
  ...endpointsOf('documents'),
  ...endpointsOf('custom_field_definitions'),
};
