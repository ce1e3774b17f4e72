/** A person whose name is in every table that takes texts, and all that the service stores, as one text. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect } from 'vitest';
import type {
  ErasureAct,
  ErasureHit,
  ErasurePreview,
  ErasureProof,
} from '../../../src/contract/rest/retention/erasures.ts';
import { choicesOf } from '../../../src/contract/rest/retention/erasures.ts';
import type { Upload } from '../../../src/contract/rest/uploads.ts';
import { mintToken } from '../../../src/service/domain/tokens.ts';
import { takeIds } from '../../../src/service/store/engine/ids.ts';
import { onPostgres } from '../../support/database.ts';
import { clientOf, type Client, type TestService } from '../../support/service.ts';
import { fieldFor, list } from '../near-miss-records.ts';
import { md5, put, sha256 } from '../uploads/support.ts';
import { companyOf } from './support.ts';

/** Words that nothing else holds. */
export const NAME = 'Ottoline Quarrington';
const LOGIN = 'ottoline.quarrington@northline.example';
/** What must be in no table and no file afterwards. */
export const TRACE = /ottoline|quarrington/i;

const must = (answer: Awaited<ReturnType<Client['get']>>, status = 201) => {
  expect(answer.status, answer.text).toBe(status);
  return answer.json;
};

export interface Person {
  readonly user_id: number;
  readonly person_id: number;
  readonly client: Client;
}

/** A user, who is then one of the people of the company too. */
export const addPerson = async (t: TestService, name = NAME, login = LOGIN): Promise<Person> => {
  const { demo } = t;
  const user = must(await demo.post(`${companyOf(demo)}/users`, { user: { login, name } }));
  const token = await t.service.app.store.write((tx) => mintToken(tx, user.id, t.clock.now()));
  const people = must(await demo.get(`${companyOf(demo)}/people?per_page=1000`), 200) as {
    id: number;
    login: string;
  }[];
  const person_id = people.find((one) => one.login === login)?.id ?? 0;
  return { user_id: user.id, person_id, client: clientOf(t.url, { ...demo, token }) };
};

/** Black and white squares, which a blur makes grey, with the name in the EXIF. */
const drawPhoto = async (artist = NAME): Promise<Buffer<ArrayBuffer>> => {
  const [width, height, square] = [640, 480, 16];
  const pixels = Buffer.alloc(width * height, 0);
  for (let at = 0; at < pixels.length; at += 1) {
    const [x, y] = [at % width, Math.floor(at / width)];
    if ((Math.floor(x / square) + Math.floor(y / square)) % 2 === 0) pixels[at] = 255;
  }
  const raw = { width, height, channels: 1 as const };
  const exif = { IFD0: { Artist: artist } };
  return Buffer.from(await sharp(pixels, { raw }).jpeg().withExif(exif).toBuffer());
};

const sendPhoto = async (
  owner: Client,
  response_filename: string,
  artist = NAME,
): Promise<string> => {
  const bytes = await drawPhoto(artist);
  const path = `/rest/v1.1/companies/${owner.company_id}/uploads`;
  const segments = [{ size: bytes.length, sha256: sha256(bytes) }];
  const upload = must(await owner.post(path, { response_filename, segments })) as Upload;
  await put(upload, 0, bytes);
  must(await owner.patch(`${path}/${upload.uuid}`, { segments: [{ etag: md5(bytes) }] }), 200);
  return upload.uuid;
};

export interface Report {
  readonly id: number;
  readonly incident_id: number;
}

/** A near miss by the person, with the name in every text of it and of its incident. */
export const fileReport = async ({ demo }: TestService, person: Person): Promise<Report> => {
  const catalog = must(await demo.get('~/catalog'), 200);
  const field = (label: string) => fieldFor(catalog, label);
  const incident = {
    title: `Crane of ${NAME}`,
    description: `${NAME} saw it`,
    location: `Near ${NAME}'s office`,
  };
  const incident_id = must(await demo.post('~/incidents', { incident })).id as number;
  const filename = 'ottoline_quarrington_1.jpg';
  const near_miss = {
    incident_id,
    description: `<p>Load swung at Ottoline <strong>Quarrington</strong> & Co.</p>`,
    affected_person_id: person.person_id,
    [field('Location')]: `Office of OTTOLINE QUARRINGTON`,
    [field('Follow-up')]: 'Talk to Ms Quarrington, Ottoline',
    [field('Follow-up by')]: NAME,
    [field('Who saw it')]: NAME,
    [field('Photo captions')]: `${filename}: Ottoline beside the load`,
    upload_uuids: [await sendPhoto(person.client, filename)],
  };
  const headers = { 'user-agent': `Laptop of ${NAME}`, 'idempotency-key': `create-${incident_id}` };
  const id = must(await person.client.post(list, { near_miss }, headers)).id as number;
  const answer = { [field('Seen')]: `2026-01-14 14:05 +01:00 ${NAME}` };
  const again = { 'idempotency-key': `update-${id}`, 'user-agent': `Laptop of ${NAME}` };
  must(await person.client.patch(`${list}/${id}`, { near_miss: answer }, again), 200);
  for (const one of [person.client, demo]) {
    const comment = { text: `${NAME} was told.\nOttoline agreed.` };
    must(await one.post(`${list}/${id}/comments`, { comment }));
  }
  return { id, incident_id };
};

/** The name in the data of the company, and in copies that nobody reads. */
export const fillCompany = async (t: TestService, person: Person): Promise<void> => {
  const { demo, service, clock } = t;
  const company = companyOf(demo);
  const notice = { help_contact: `${NAME}, gate 2`, privacy_notice: `Ask ${LOGIN}` };
  must(await demo.patch(company, { company: notice }), 200);
  for (const [kind, one] of [
    ['vendors', 'vendor'],
    ['parties', 'party'],
    ['harm_sources', 'harm_source'],
    ['managed_equipment', 'managed_equipment'],
    ['affected_companies', 'affected_company'],
    ['folders', 'folder'],
  ] as const)
    must(await demo.post(`${company}/${kind}`, { [one]: { name: `${NAME} ${kind}` } }));
  must(await demo.post(`${company}/projects`, { project: { name: `House of ${NAME}` } }));
  const definition = {
    label: `Read by ${NAME}`,
    data_type: 'select',
    options: [NAME, 'Nobody'],
  };
  must(
    await demo.post(`${company}/custom_field_definitions`, { custom_field_definition: definition }),
  );
  const vendor = must(await demo.get('~/catalog'), 200).vendors[0].id as number;
  const insurance = { insurance_type: 'x', notes: `Signed by ${NAME}` };
  must(await demo.post(`~/vendors/${vendor}/insurances`, { insurance }));
  const token = { name: `Key of ${NAME}` };
  must(await demo.post('/rest/v1.0/me/tokens', { token }));
  const account = { name: `Export for ${NAME}` };
  must(await demo.post(`${company}/service_accounts`, { service_account: account }));
  const destination_url = 'http://127.0.0.1:65535/ottoline.quarrington';
  const hook = { destination_url, namespace: 'ottoline-quarrington' };
  const made = must(
    await demo.post('/rest/v1.0/webhooks/hooks', { company_id: demo.company_id, hook }),
  );
  await sendPhoto(demo, `unused by ${NAME}.jpg`, 'Somebody');
  await service.app.store.write(async (tx) => {
    const { company_id } = demo;
    const at = clock.now();
    await tx
      .insertInto('webhook_deliveries')
      .values({
        company_id,
        id: await takeIds(tx, 'webhook_deliveries'),
        hook_id: made.id,
        event_id: 1,
        event_ulid: 'x',
        started_at: at,
        completed_at: at,
        response_status: 200,
        response_headers: JSON.stringify({ x: NAME }),
        response_error: null,
        response_body: `{"by":"O\\u0074toline Quarrington"}`,
        outcome: 'ok',
      })
      .execute();
    const mail = { near_miss_id: null, kind: 'weekly', event: 'x', due: null, figures: null };
    const state = { failures: 1, failing_since: null, next_attempt_at: 0, lease_owner: null };
    const ended = { lease_until: 0, ended_at: at, outcome: 'refused', error: `no <${LOGIN}>` };
    await tx
      .insertInto('mails')
      .values({
        company_id,
        id: await takeIds(tx, 'mails'),
        user_id: 1,
        by_user_id: null,
        created_at: at,
        ...mail,
        ...state,
        ...ended,
      })
      .execute();
  });
  expect(person.person_id).toBeGreaterThan(0);
};

export const preview = async (admin: Client, subject: object): Promise<ErasurePreview> => {
  const path = `${companyOf(admin)}/erasures/preview?per_page=5000`;
  return must(await admin.post(path, { erasure: subject }), 200) as ErasurePreview;
};

/** The strongest choice of every place. */
export const all = (hits: readonly ErasureHit[]): { id: string; act: ErasureAct }[] =>
  hits.map(({ id, kind }) => ({ id, act: choicesOf(kind)[0] ?? 'keep' }));

export const decide = (admin: Client, subject: object, seen: ErasurePreview, decisions: object) =>
  admin.post(`${companyOf(admin)}/erasures`, {
    erasure: { ...subject, fingerprint: seen.fingerprint, decisions },
  });

export const proofOf = async (admin: Client, id: number): Promise<ErasureProof> =>
  must(await admin.get(`${companyOf(admin)}/erasures/${id}`), 200) as ErasureProof;

/** Previews, decides and waits for the end. */
export const erase = async (
  t: TestService,
  subject: object,
  choose: (hits: readonly ErasureHit[]) => object = all,
): Promise<ErasureProof> => {
  const seen = await preview(t.demo, subject);
  const made = must(await decide(t.demo, subject, seen, choose(seen.hits)));
  await t.service.app.erasures.settled();
  return proofOf(t.demo, made.id as number);
};

const readable = (_key: string, value: unknown): unknown => {
  const bytes = value as { readonly type?: string; readonly data?: number[] } | null;
  return bytes?.type === 'Buffer' ? Buffer.from(bytes.data ?? []).toString('latin1') : value;
};

/** Every row of every table, by table. */
export const everyTable = async ({ database }: TestService): Promise<Map<string, string>> => {
  const names = await database.query(
    onPostgres
      ? `select table_name as name from information_schema.tables where table_schema = current_schema()`
      : `select name from sqlite_master where type = 'table'`,
  );
  const texts = new Map<string, string>();
  for (const { name } of names) {
    const rows = await database.query(`select * from "${String(name)}"`);
    texts.set(String(name), JSON.stringify(rows, readable));
  }
  return texts;
};

/** The tables with a trace of the person. */
export const traced = async (t: TestService): Promise<string[]> =>
  [...(await everyTable(t))].flatMap(([name, text]) => (TRACE.test(text) ? [name] : [])).toSorted();

/** The files below a folder with a trace of the person. */
export const tracedFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .filter((path) => TRACE.test(readFileSync(path).toString('latin1')))
    .map((path) => path.slice(folder.length + 1));

/** `table.column` of each column of texts in which no row has a trace of the person. */
export const untracedColumns = async ({ database }: TestService): Promise<string[]> => {
  const columns = await database.query(
    onPostgres
      ? `select table_name as "table", column_name as "column" from information_schema.columns
           where table_schema = current_schema() and data_type in ('text', 'jsonb', 'character varying')`
      : `select m.name as "table", c.name as "column" from sqlite_master m, pragma_table_info(m.name) c
           where m.type = 'table' and m.sql not like '%virtual%' and upper(c.type) = 'TEXT'`,
  );
  const untraced: string[] = [];
  for (const { table, column } of columns) {
    const rows = await database.query(`select "${String(column)}" as one from "${String(table)}"`);
    if (!rows.some(({ one }) => TRACE.test(String(one))))
      untraced.push(`${String(table)}.${String(column)}`);
  }
  return untraced.toSorted();
};
