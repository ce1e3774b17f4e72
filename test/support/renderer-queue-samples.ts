/**
 * Samples for property tests: one payload of every queueable operation in its lane, with text and numbers chosen by the test.
 */
import { ulid } from 'ulid';
import { companyLane } from '../../src/renderer/data/model/lanes.ts';
import { incidentLane } from '../../src/renderer/data/model/incident-ids.ts';
import type { OwnDataKind } from '../../src/renderer/operations/company/company-record.ts';
import type { CarriedPhoto } from '../../src/renderer/operations/carried-photo.ts';
import { attachmentRef, tmLane } from '../../src/renderer/data/company/tm-rows.ts';
import { ACCOUNT } from './renderer-host.ts';

export interface Said {
  readonly text: string;
  readonly id: number;
  readonly flag: boolean;
}

export interface Sample {
  readonly kind: string;
  readonly version: number;
  readonly lane: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/**
 * Checkpoint fields that attempts of an operation of this kind may have left: all that another laptop resumes from, and some it
 * ignores.
 */
export const notesFor = (kind: string, { text, id, flag }: Said): Record<string, unknown> => {
  const candidate = { server_id: id, full_number: text, created_at: flag ? id : null };
  const candidates = [{ ...candidate, text, facts: text, recycled: flag }];
  const theirs = { notes: text, status: flag ? 'closed' : null };
  const sent = { step: 'attaching', uploaded: true, acknowledged: id, associate_key: ulid() };
  const all: Readonly<Record<string, Record<string, unknown>>> = {
    'near_miss.create': { server_id: id, candidates, not_it: [id], sent_from: id, as_new: true },
    'near_miss.update': {
      base: { description: `is ${text}` },
      conflicts: [{ name: 'description', mine: text, theirs: null, before: text }],
      etag: flag ? `"${id}"` : null,
      key: ulid(),
      recycled: flag,
    },
    'near_miss.comment': { recycled: flag },
    'photo.send': sent,
    'tm_attachment.create': sent,
    'tm_attachment.bulk_delete': { singly: flag },
    'insurance.update': { key: ulid(), theirs },
    'insurance.sync': { known: [id] },
    'company_record.update': { key: ulid(), theirs },
  };
  return all[kind] ?? {};
};

/** Lanes for the samples of one queue: a near miss, one under a locally opened incident, and lanes without a row. */
export const newLanes = () => {
  const [record, opened, hook] = [ulid(), ulid(), ulid()];
  const incident_id = -Math.ceil(Math.random() * 2 ** 40);
  return { record, opened, hook, incident_id };
};
export type Lanes = ReturnType<typeof newLanes>;

const ids = { company_id: 1, project_id: 10 };

const nearMisses = (lanes: Lanes, { text, id, flag }: Said): readonly Sample[] => {
  const place = { key: lanes.record, project_id: 10, server_id: flag ? id : null };
  const of = (kind: string, payload: object, key = lanes.record): Sample => ({
    kind,
    version: 1,
    lane: key,
    payload: { ...payload, key },
  });
  const body = { incident_id: id, description: text, custom_field_3: [text, flag] };
  const opened = { ...body, incident_id: lanes.incident_id };
  return [
    of('near_miss.create', { ...ids, body }),
    of('near_miss.create', { ...ids, body: opened }, lanes.opened),
    of('near_miss.update', {
      ...place,
      changes: { description: text, work_activity_id: flag ? null : id },
      base: flag ? { description: `was ${text}`, work_activity_id: null } : {},
    }),
    of('near_miss.delete', place),
    of('near_miss.restore', place),
    of('near_miss.comment', { ...place, text }),
    of('photo.remove', {
      ...place,
      attachment_id: flag ? id : null,
      upload_uuid: text,
      sha256: null,
    }),
  ];
};

const company = (lanes: Lanes, { text, id, flag }: Said): readonly Sample[] => {
  const server_id = flag ? id : null;
  const of = (lane: string, kind: string, payload: object): Sample => ({
    kind,
    version: 1,
    lane,
    payload: { ...ids, about: text, ...payload, key: lane },
  });
  const project_id = 10;
  const insurances = companyLane(ACCOUNT, { kind: 'insurances', project_id, vendor_id: id });
  const members = companyLane(ACCOUNT, { kind: 'members', project_id });
  const hooks = companyLane(ACCOUNT, { kind: 'webhooks', project_id, hook: lanes.hook });
  const own = (kind: OwnDataKind, project: number | null = null) =>
    companyLane(ACCOUNT, { kind: 'own_data', of: kind, project_id: project });
  const insured = { vendor_id: id, record_key: ulid() };
  const place = { scope: flag ? 'company' : 'project', namespace: text };
  const hooked = { record_key: lanes.hook, server_id, place };
  const trigger = { resource_name: text, event_type: flag ? 'create' : 'delete' };
  return [
    of(incidentLane(ACCOUNT, project_id, lanes.incident_id), 'incident.create', {
      incident_id: lanes.incident_id,
      incident: { title: `Incident ${text}`, description: text, private: flag },
    }),
    of(insurances, 'insurance.create', { ...insured, insurance: { notes: text, exempt: flag } }),
    of(insurances, 'insurance.update', {
      ...insured,
      server_id,
      changes: { notes: text },
      base: { notes: `was ${text}` },
    }),
    of(insurances, 'insurance.delete', { ...insured, server_id }),
    of(insurances, 'insurance.sync', { vendor_id: id, rows: [id], updates: [{ notes: text }] }),
    of(members, 'membership.create', { party_id: id }),
    of(members, 'membership.delete', { party_id: id, server_id }),
    of(members, 'membership.bulk_add', { party_ids: [id, id + 1] }),
    of(members, 'membership.bulk_remove', { party_ids: [id] }),
    of(own('custom_field_definitions'), 'company_record.create', {
      of: 'custom_field_definitions',
      record_key: ulid(),
      fields: { label: `Field ${text}`.slice(0, 200), data_type: 'select', options: ['a', 'b'] },
    }),
    of(own('incidents', project_id), 'company_record.update', {
      of: 'incidents',
      record_key: ulid(),
      server_id: id,
      changes: { description: text, status: 'closed' },
      base: { description: `was ${text}`, status: 'open' },
    }),
    of(own('vendors'), 'company_record.import', {
      of: 'vendors',
      lines: [2],
      rows: [{ name: text, active: flag }],
    }),
    of(hooks, 'hook.create', {
      record_key: lanes.hook,
      hook: { ...place, api_version: 'v2', destination_url: text },
    }),
    of(hooks, 'hook.update', { ...hooked, hook: { destination_url: text } }),
    of(hooks, 'hook.delete', hooked),
    of(hooks, 'trigger.create', { ...hooked, trigger_key: ulid(), api_version: 'v2', trigger }),
    of(hooks, 'trigger.delete', { ...hooked, trigger_key: ulid(), trigger_id: server_id, trigger }),
  ];
};

/** Files of a time-and-material entry: with a photo, or documents; and their removal. */
const files = ({ text, id, flag }: Said, photo: CarriedPhoto | null): readonly Sample[] => {
  const lane = tmLane(ACCOUNT, 10, id);
  const of = (kind: string, payload: object): Sample => ({
    kind,
    version: 1,
    lane,
    payload: { project_id: 10, ...payload, key: lane },
  });
  const facts = photo && {
    photo_id: photo.photo_id,
    filename: photo.filename,
    size: photo.size,
    sha256: photo.sha256,
    content_type: photo.content_type,
  };
  const attachment_ref = attachmentRef(ulid());
  return [
    of('tm_attachment.create', {
      company_id: 1,
      time_and_material_entry_id: id,
      attachment_key: facts?.photo_id ?? ulid(),
      associate_key: ulid(),
      photo: facts,
      name: text,
      folders: [],
      documents: facts === null ? [id] : [],
      ...(photo?.original === undefined ? {} : { original: photo.original }),
    }),
    of('tm_attachment.delete', {
      time_and_material_entry_id: id,
      attachment_ref,
      name: text,
      server_id: flag ? id : null,
      in_spool: flag,
    }),
    of('tm_attachment.bulk_delete', { attachments: [{ attachment_ref, server_id: id }] }),
  ];
};

/** Sends a photo of the queue's near miss. */
const sending = ({ record }: Lanes, photo: CarriedPhoto): Sample => ({
  kind: 'photo.send',
  version: 1,
  lane: record,
  payload: { ...ids, key: record, associate_key: ulid(), photo },
});

/** @param attached the photo that a time-and-material entry gets; null: documents */
export const samplesOf = (
  lanes: Lanes,
  said: Said,
  photos: readonly CarriedPhoto[],
  attached: CarriedPhoto | null,
): readonly Sample[] => [
  ...nearMisses(lanes, said),
  ...photos.map((photo) => sending(lanes, photo)),
  ...company(lanes, said),
  ...files(said, attached),
];
