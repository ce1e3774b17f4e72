/**
 * The participants of matrix.test.ts: a project with a record of every kind, each with a word that must never appear elsewhere;
 * another project of the same company, a colleague, and a stranger of another company.
 */
import { randomUUID } from 'node:crypto';
import { sql, type TableMetadata } from 'kysely';
import {
  companyRecordKindNames,
  companyRecordKinds,
  type CompanyRecordKind,
} from '../../src/contract/rest/company-records.ts';
import type { Upload } from '../../src/contract/rest/uploads.ts';
import { hashToken, mintToken, tokenIdOf } from '../../src/service/domain/tokens.ts';
import { takeIds } from '../../src/service/store/engine/ids.ts';
import { clientOf, type Answer, type Client, type TestService } from '../support/service.ts';
import { pngOf } from '../support/drawings.ts';
import { md5, put, sha256 } from './uploads/support.ts';

/** In every text of the victim's project, and nowhere else. */
export const CANARY = 'canary-7d1f';

/** Ids of the victim's records. */
export interface Victim {
  readonly company: number;
  readonly project: number;
  /** One of every kind of company data. */
  readonly records: Records;
  readonly incident: number;
  readonly near_miss: number;
  readonly near_miss_attachment: number;
  readonly comment: number;
  readonly recycled: number;
  readonly vendor: number;
  readonly insurance: number;
  readonly entry: number;
  readonly folder: number;
  readonly document: number;
  readonly attachment: number;
  /** A reference user and their membership. */
  readonly member: number;
  readonly membership: number;
  /** A reference user who is not a member yet. */
  readonly party: number;
  /** A complete upload without a record. */
  readonly upload: string;
  readonly plan: number;
  /** The upload of the plan, which other plans of the project may have too. */
  readonly drawing: string;
  /** A hook of the project; its trigger waits for an event that never happens, so nothing is sent. */
  readonly hook: number;
  readonly trigger: number;
  /** A user of the company, their token, and a code for them. */
  readonly user: number;
  readonly user_token: string;
  readonly code: number;
  readonly code_text: string;
  /** A service account of the company. */
  readonly account: number;
  /** An erasure that is done. */
  readonly erasure: number;
  /** What decides another one. */
  readonly erasure_body: object;
  /** A token of the owner that no test uses. */
  readonly token: string;
}

export interface World {
  readonly t: TestService;
  readonly owner: Client;
  /** An admin of the same company: may see the project, but owns none of its uploads. */
  readonly colleague: Client;
  /** The owner in another project of the same company. */
  readonly next_door: Client;
  /** A user of another company, in a project of that company. */
  readonly stranger: Client;
}

const expectMade = (answer: Answer): Answer => {
  if (answer.status !== 201) throw new Error(`not made: ${answer.status} ${answer.text}`);
  return answer;
};

type Records = Readonly<Record<CompanyRecordKind, number>>;

/** Creates a record; if its kind belongs to a project, in the victim's project only. */
const makeRecord = async (
  { owner }: World,
  kind: CompanyRecordKind,
  more: Readonly<Record<string, unknown>> = {},
): Promise<number> => {
  const path = `/rest/v1.0/companies/${owner.company_id}/${kind}`;
  const place = kind === 'projects' ? {} : { project_id: owner.project_id };
  const name =
    kind === 'custom_field_definitions' ? { label: CANARY, data_type: 'string' } : { name: CANARY };
  const body = { [companyRecordKinds[kind].one]: { ...name, ...place, ...more } };
  return expectMade(await owner.post(path, body)).json.id as number;
};

const made = new WeakMap<World, Promise<Records>>();

const makeRecords = async (world: World): Promise<Records> => {
  const records: Partial<Record<CompanyRecordKind, number>> = {};
  for (const kind of companyRecordKindNames) {
    const filed = kind === 'documents' ? { folder_id: records.folders } : {};
    records[kind] = await makeRecord(world, kind, filed);
  }
  return records as Records;
};

/** One of each kind, shared by all victims, because no route deletes them. */
const recordsOf = (world: World): Promise<Records> => {
  const records = made.get(world) ?? makeRecords(world);
  made.set(world, records);
  return records;
};

export const makeWorld = async (t: TestService): Promise<World> => {
  const { demo, clock } = t;
  const { company_id } = demo;
  const made = await t.service.app.store.write(async (tx) => {
    const now = clock.now();
    const project_id = await takeIds(tx, 'projects');
    await tx
      .insertInto('projects')
      .values({
        company_id,
        id: project_id,
        created_at: now,
        name: 'Next door',
        name_folded: 'next door',
        last_incident_number: 0,
        active: 1,
        version: 1,
        updated_at: now,
      })
      .execute();
    const user_id = await takeIds(tx, 'users');
    await tx
      .insertInto('users')
      .values({ id: user_id, login: 'colleague@example.com', name: 'Colleague', created_at: now })
      .execute();
    const level = 'admin';
    await tx.insertInto('company_users').values({ company_id, user_id, level }).execute();
    return { project_id, token: await mintToken(tx, user_id, now) };
  });
  return {
    t,
    owner: demo,
    colleague: clientOf(t.url, { ...demo, token: made.token }),
    next_door: clientOf(t.url, { ...demo, project_id: made.project_id }),
    stranger: t.other,
  };
};

/** The body that completes any upload of the victim. */
export const completion = { segments: [{ etag: md5(Buffer.from(CANARY)) }] };

/** A complete upload of a file `canary-….jpg`. */
export const sendFile = async (
  owner: Client,
  bytes: Buffer<ArrayBuffer> = Buffer.from(CANARY),
): Promise<string> => {
  const path = `/rest/v1.1/companies/${owner.company_id}/uploads`;
  const segments = [{ size: bytes.length, sha256: sha256(bytes) }];
  const body = { response_filename: `${CANARY}.jpg`, segments };
  const upload = expectMade(await owner.post(path, body)).json as Upload;
  await put(upload, 0, bytes);
  const done = await owner.patch(`${path}/${upload.uuid}`, { segments: [{ etag: md5(bytes) }] });
  if (done.status !== 200) throw new Error(`not completed: ${done.text}`);
  return upload.uuid;
};

/** Nothing listens on this port. */
export const hookBody = (project_id: number) => ({
  project_id,
  hook: { destination_url: `http://127.0.0.1:65535/${CANARY}`, namespace: 'matrix' },
});

export const triggerBody = {
  api_version: 'v1',
  trigger: { resource_name: 'Company Uploads', event_type: 'delete' },
};

/** In the texts of a private incident and its near misses, and nowhere else. */
export const SECRET = 'secret-5b20';

/** Where a victim's records are made, and with which word in their texts. */
interface Place {
  readonly world: World;
  readonly word: string;
  readonly records: Records;
  readonly incident: number;
}

const idOf = (answer: Answer): number => expectMade(answer).json.id as number;

const makeIncident = async ({ owner }: World, word: string): Promise<number> =>
  idOf(await owner.post('~/incidents', { incident: { title: word, private: word === SECRET } }));

/** Makers of consumable records: each returns the ids that it made, by name. */
/** A party with a name that nothing else has, and the decision to give it a pseudonym. */
const decisionOn = async ({ world, records }: Place): Promise<object> => {
  const { owner } = world;
  const name = `Erased ${randomUUID().slice(0, 8)}${records.vendors}`;
  await makeRecord(world, 'parties', { name });
  const path = `/rest/v1.0/companies/${owner.company_id}/erasures/preview`;
  const { fingerprint, hits } = (await owner.post(path, { erasure: { name } })).json as {
    fingerprint: string;
    hits: { id: string }[];
  };
  const decisions = hits.map(({ id }) => ({ id, act: 'pseudonymise' }));
  return { erasure: { name, fingerprint, decisions } };
};

const makers = {
  incident: async ({ world, word }: Place) => ({ incident: await makeIncident(world, word) }),
  near_miss: async ({ world: { owner }, word, incident }: Place) => {
    const near_miss = { incident_id: incident, description: word };
    const photo = { upload_uuids: [await sendFile(owner)] };
    const made = await owner.post('~/incidents/near_misses', {
      near_miss: { ...near_miss, ...photo },
    });
    // The first entry of its history.
    const more = { near_miss: { description: `${word} and more` } };
    await owner.patch(`~/incidents/near_misses/${idOf(made)}`, more);
    const near_miss_attachment = made.json.attachments[0].id as number;
    const path = `~/incidents/near_misses/${idOf(made)}/comments`;
    const comment = idOf(await owner.post(path, { comment: { text: word } }));
    return { near_miss: idOf(made), near_miss_attachment, comment };
  },
  recycled: async ({ world: { owner }, word, incident }: Place) => {
    const near_miss = { incident_id: incident, description: word };
    const recycled = idOf(await owner.post('~/incidents/near_misses', { near_miss }));
    await owner.delete(`~/incidents/near_misses/${recycled}`);
    return { recycled };
  },
  insurance: async ({ world: { owner }, records }: Place) => {
    const insurance = { name: CANARY, origin_id: CANARY };
    const path = `~/vendors/${records.vendors}/insurances`;
    return { insurance: idOf(await owner.post(path, { insurance })) };
  },
  attachment: async ({ world: { owner }, records }: Place) => ({
    attachment: idOf(
      await owner.post('~/time_and_material_entry_attachments', {
        time_and_material_entry_id: records.time_and_material_entries,
        time_and_material_entry_attachment: { documents: [records.documents] },
      }),
    ),
  }),
  membership: async ({ world }: Place) => {
    const { owner } = world;
    const member = await makeRecord(world, 'parties');
    const project_membership = { party_id: member };
    expectMade(await owner.post('~/project_memberships', { project_membership }));
    const members = (await owner.get('~/project_memberships')).json as {
      id: number;
      party_id: number;
    }[];
    return {
      member,
      membership: members.find(({ party_id }) => party_id === member)?.id ?? 0,
    };
  },
  party: async ({ world }: Place) => ({ party: await makeRecord(world, 'parties') }),
  upload: async ({ world }: Place) => ({ upload: await sendFile(world.owner) }),
  plan: async ({ world: { owner } }: Place) => {
    const drawing = await sendFile(owner, pngOf(300, 200));
    const plan = { name: CANARY, upload_uuid: drawing };
    return { plan: idOf(await owner.post('~/plans', { plan })), drawing };
  },
  hook: async ({ world: { owner } }: Place) => {
    const hooks = '/rest/v1.0/webhooks/hooks';
    const hook = idOf(await owner.post(hooks, hookBody(owner.project_id)));
    const path = `${hooks}/${hook}/triggers?namespace=matrix`;
    return { hook, trigger: idOf(await owner.post(path, triggerBody)) };
  },
};

/** Makers of users and their access, which belong to the company. */
const accessMakers = {
  user: async ({ world: { t, owner } }: Place) => {
    const path = `/rest/v1.0/companies/${owner.company_id}`;
    const login = `user-${randomUUID()}@example.com`;
    const user = idOf(await owner.post(`${path}/users`, { user: { login, name: 'Somebody' } }));
    const { company_id } = owner;
    const minted = await t.service.app.store.write((tx) =>
      mintToken(tx, user, t.clock.now(), { company_id, name: CANARY }),
    );
    const body = { enrolment_code: { user_id: user } };
    const made = await owner.post(`${path}/enrolment_codes`, body);
    const [code, code_text] = [idOf(made), made.json.code as string];
    return { user, user_token: tokenIdOf(hashToken(minted)), code, code_text };
  },
  account: async ({ world: { owner } }: Place) => {
    const path = `/rest/v1.0/companies/${owner.company_id}/service_accounts`;
    return { account: idOf(await owner.post(path, { service_account: { name: CANARY } })) };
  },
  erasure: async (place: Place) => {
    const { t, owner } = place.world;
    const path = `/rest/v1.0/companies/${owner.company_id}/erasures`;
    const erasure = idOf(await owner.post(path, await decisionOn(place)));
    await t.service.app.erasures.settled();
    return { erasure, erasure_body: await decisionOn(place) };
  },
  // Not over the API, which refuses a user's fifty-first token.
  token: async ({ world: { t, owner } }: Place) => {
    const { company_id } = owner;
    const { id } = (await owner.get('/rest/v1.0/me')).json as { id: number };
    const minted = await t.service.app.store.write((tx) =>
      mintToken(tx, id, t.clock.now(), { company_id, name: CANARY }),
    );
    return { token: tokenIdOf(hashToken(minted)) };
  },
};

const allMakers = { ...makers, ...accessMakers };

/** The maker of each consumable record; the others are permanent, because no route consumes them. */
const makerOf: Partial<Record<keyof Victim, keyof typeof allMakers>> = {
  incident: 'incident',
  near_miss: 'near_miss',
  near_miss_attachment: 'near_miss',
  comment: 'near_miss',
  recycled: 'recycled',
  insurance: 'insurance',
  attachment: 'attachment',
  member: 'membership',
  membership: 'membership',
  party: 'party',
  upload: 'upload',
  plan: 'plan',
  drawing: 'plan',
  hook: 'hook',
  trigger: 'hook',
  user: 'user',
  user_token: 'user',
  code: 'user',
  code_text: 'user',
  account: 'account',
  erasure: 'erasure',
  erasure_body: 'erasure',
  token: 'token',
};

/** A fresh set of records in the owner's project. @param isPrivate makes its incident private to the owner */
export const makeVictim = async (world: World, isPrivate = false): Promise<Victim> => {
  const word = isPrivate ? SECRET : CANARY;
  const records = await recordsOf(world);
  const incident = await makeIncident(world, word);
  const place = { world, word, records, incident };
  return {
    company: world.owner.company_id,
    project: world.owner.project_id,
    records,
    incident,
    vendor: records.vendors,
    entry: records.time_and_material_entries,
    folder: records.folders,
    document: records.documents,
    ...(await makers.near_miss(place)),
    ...(await makers.recycled(place)),
    ...(await makers.insurance(place)),
    ...(await makers.attachment(place)),
    ...(await makers.membership(place)),
    ...(await makers.party(place)),
    ...(await makers.upload(place)),
    ...(await makers.plan(place)),
    ...(await makers.hook(place)),
    ...(await accessMakers.user(place)),
    ...(await accessMakers.account(place)),
    ...(await accessMakers.erasure(place)),
    ...(await accessMakers.token(place)),
  };
};

const standing = new WeakMap<World, Map<boolean, Promise<Victim>>>();

/** The permanent victim of this world, with fresh copies of the records that the caller may consume. */
export const victimOf = async (
  world: World,
  used: Iterable<keyof Victim>,
  isPrivate = false,
): Promise<Victim> => {
  const known = standing.get(world) ?? new Map<boolean, Promise<Victim>>();
  standing.set(world, known);
  const first = known.get(isPrivate) ?? makeVictim(world, isPrivate);
  known.set(isPrivate, first);
  const { records, incident, ...rest } = await first;
  const word = isPrivate ? SECRET : CANARY;
  const fresh: Partial<Victim> = {};
  for (const name of new Set([...used].map((one) => makerOf[one])))
    if (name !== undefined)
      Object.assign(fresh, await allMakers[name]({ world, word, records, incident }));
  return { records, incident, ...rest, ...fresh };
};

/** The attacker's idempotency records do not count as changes. */
const NOT_RECORDS = new Set(['idempotency_keys', 'id_counters', 'service_state', 'tokens']);

const tablesOf = new WeakMap<World, Promise<readonly TableMetadata[]>>();

/** All stored data of the owner's company, except that of its other projects. */
export const snapshot = async (world: World): Promise<string> => {
  const { t, owner } = world;
  // An erasure of a test before would look like a stranger's write.
  await t.service.app.erasures.settled();
  const db = t.service.app.store.read;
  const tables = tablesOf.get(world) ?? db.introspection.getTables();
  tablesOf.set(world, tables);
  const out: unknown[] = [];
  for (const table of await tables) {
    const columns = new Set(table.columns.map(({ name }) => name));
    if (!columns.has('company_id') || NOT_RECORDS.has(table.name)) continue;
    const project = table.name === 'projects' ? 'id' : 'project_id';
    const here = columns.has(project)
      ? sql`and (${sql.ref(project)} is null or ${sql.ref(project)} = ${owner.project_id})`
      : sql``;
    const { rows } = await sql`
      select * from ${sql.table(table.name)} where company_id = ${owner.company_id} ${here}
    `.execute(db);
    out.push([table.name, rows.map((row) => JSON.stringify(row)).sort()]);
  }
  return JSON.stringify(out);
};
