/**
 * A real service on a temporary folder with two companies and three users, and the shared calls of the upload tests. The test
 * controls the clock.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { Upload } from '../../../src/contract/rest/uploads.ts';
import type { Options } from '../../../src/service/options.ts';
import { startService, type Service } from '../../../src/service/index.ts';
import { databaseOf, migratedInto } from '../../support/database.ts';
import { checkAnswer } from '../../support/openapi.ts';

export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');
export const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const KIB = 1024;

interface Caller {
  readonly token: string;
  readonly user_id: number;
  readonly company_id: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body, or null if it is not JSON. */
  readonly json: unknown;
}

export interface Fixture {
  readonly url: string;
  readonly folder: string;
  readonly service: Service;
  readonly project_id: number;
  readonly owner: Caller;
  /** Another user of the same company. */
  readonly colleague: Caller;
  /** A user of another company. */
  readonly stranger: Caller;
  advance(ms: number): void;
  now(): number;
  call(method: string, path: string, body?: unknown, as?: Caller): Promise<Answer>;
  /** Creates an upload and expects 201. */
  create(body: object, as?: Caller): Promise<Upload>;
  show(uuid: string, as?: Caller): Promise<Answer>;
  complete(uuid: string, etags: readonly (string | null)[], as?: Caller): Promise<Answer>;
  /** Associates complete uploads with a made-up record, in a transaction, as near misses do. */
  associate(uuids: readonly string[], record_id: number, as?: Caller): Promise<readonly number[]>;
  /** The signed addresses of a stored file, with its declared type. */
  addresses(
    stored_file_id: number,
    content_type?: string,
  ): {
    readonly url: string;
    readonly thumbnail_url: string;
    readonly presentation_url: string;
  };
  /** Sizes in bytes of all files below the file store's folder, by path. */
  files(): Record<string, number>;
  restart(): Promise<Fixture>;
}

const START = Date.parse('2026-03-02T07:00:00Z');

const seed = async (service: Service, callers: readonly Caller[]): Promise<void> => {
  const created_at = START;
  await service.app.store.write(async (tx) => {
    if (await tx.selectFrom('companies').select('id').executeTakeFirst()) return;
    for (const id of new Set(callers.map((caller) => caller.company_id))) {
      await tx
        .insertInto('companies')
        .values({ id, name: `Company ${id}`, created_at })
        .execute();
      await tx
        .insertInto('projects')
        .values({
          company_id: id,
          id: id * 10,
          name: 'Site',
          name_folded: 'site',
          last_incident_number: 0,
          active: 1,
          version: 1,
          created_at,
          updated_at: created_at,
        })
        .execute();
    }
    for (const { user_id, company_id, token } of callers) {
      const login = `user${user_id}@example.com`;
      await tx
        .insertInto('users')
        .values({ id: user_id, login, name: login, created_at })
        .execute();
      await tx.insertInto('company_users').values({ company_id, user_id }).execute();
      await tx
        .insertInto('tokens')
        .values({ token_hash: sha256(Buffer.from(token)), user_id, created_at })
        .execute();
    }
  });
};

const filesBelow = (folder: string, prefix = ''): Record<string, number> => {
  const out: Record<string, number> = {};
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) Object.assign(out, filesBelow(path, `${prefix}${entry.name}/`));
    else out[`${prefix}${entry.name}`] = statSync(path).size;
  }
  return out;
};

export interface FixtureInput {
  readonly options?: Partial<Options>;
  /** The data folder. Default: a temporary one, removed after the test. */
  readonly folder?: string;
  /** Registers the cleanup. Default: at the end of the current test. */
  readonly over?: (end: () => Promise<unknown> | void) => void;
}

const owner: Caller = { token: 'owner-token', user_id: 1, company_id: 11 };
const colleague: Caller = { token: 'colleague-token', user_id: 2, company_id: 11 };
const stranger: Caller = { token: 'stranger-token', user_id: 3, company_id: 12 };

/** Starts the service for one test and stops it afterwards. */
export const startFixture = async (input: FixtureInput = {}): Promise<Fixture> => {
  const { options = {}, over = (end) => onTestFinished(async () => void (await end())) } = input;
  const folder = input.folder ?? mkdtempSync(join(tmpdir(), 'spotter-uploads-'));
  if (input.folder === undefined) over(() => rmSync(folder, { recursive: true, force: true }));
  return open(folder, options, { now: START }, over);
};

/** One service for all tests of a file, if each looks only at its own uploads. Call the returned function inside a test. */
export const sharedFixture = (): (() => Fixture) => {
  const ends: (() => Promise<unknown> | void)[] = [];
  let fixture: Fixture | undefined;
  beforeAll(async () => {
    fixture = await startFixture({ over: (end) => void ends.unshift(end) });
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });
  return () => {
    if (fixture === undefined) throw new Error('asked before the first test');
    return fixture;
  };
};

const open = async (
  folder: string,
  options: Partial<Options>,
  time: { now: number },
  over: NonNullable<FixtureInput['over']>,
): Promise<Fixture> => {
  const database = await databaseOf(folder);
  await migratedInto(folder);
  const service = await startService({
    options: {
      ...database.options,
      port: 0,
      'data-dir': folder,
      'upload-sweep-interval': DAY,
      ...options,
    },
    clock: () => time.now,
  });
  over(() => service.stop());
  await seed(service, [owner, colleague, stranger]);
  const { url, app } = service;

  const call: Fixture['call'] = async (method, path, body, as = owner) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        Authorization: `Bearer ${as.token}`,
        'Service-Company-Id': String(as.company_id),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const { status, headers } = response;
    checkAnswer({ method, url: url + path, status, headers, text });
    let json: unknown = null;
    try {
      json = JSON.parse(text);
    } catch {
      // not JSON: the test reads `text`
    }
    return { status: response.status, headers: response.headers, text, json };
  };
  const uploads = (as: Caller) => `/rest/v1.1/companies/${as.company_id}/uploads`;

  return {
    url,
    folder,
    service,
    project_id: owner.company_id * 10,
    owner,
    colleague,
    stranger,
    advance: (ms) => {
      time.now += ms;
    },
    now: () => time.now,
    call,
    create: async (body, as = owner) => {
      const answer = await call('POST', uploads(as), body, as);
      if (answer.status !== 201) throw new Error(`create: ${answer.status} ${answer.text}`);
      return answer.json as Upload;
    },
    show: (uuid, as = owner) => call('GET', `${uploads(as)}/${uuid}`, undefined, as),
    complete: (uuid, etags, as = owner) =>
      call('PATCH', `${uploads(as)}/${uuid}`, { segments: etags.map((etag) => ({ etag })) }, as),
    associate: async (uuids, record_id, as = owner) => {
      const taken = await app.store.write((tx) =>
        app.uploads.associate(tx, {
          company_id: as.company_id,
          user_id: as.user_id,
          record: { type: 'near_miss', id: record_id },
          upload_uuids: uuids,
          field: 'near_miss.upload_uuids',
          now: time.now,
        }),
      );
      return taken.map(({ stored_file_id }) => stored_file_id);
    },
    addresses: (stored_file_id, content_type = 'image/jpeg') => {
      const row = { id: 1, stored_file_id, filename: '', content_type };
      const context = { company_id: owner.company_id, base_url: url };
      const [view] = app.uploads.views([row], context);
      return {
        url: view?.url ?? '',
        thumbnail_url: view?.thumbnail_url ?? '',
        presentation_url: view?.presentation_url ?? '',
      };
    },
    files: () => filesBelow(join(folder, 'files')),
    restart: async () => {
      await service.stop();
      return open(folder, options, time, over);
    },
  };
};

export interface Piece {
  readonly size: number;
  readonly sha256: string;
  readonly md5?: string;
}

/** Cuts bytes into pieces to announce, hashed by node:crypto and not by the service. */
export const cut = (
  bytes: Uint8Array,
  size: number,
  withMd5 = true,
): readonly Buffer[] & { pieces: Piece[] } => {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size)
    parts.push(Buffer.from(bytes.subarray(at, at + size)));
  const pieces = parts.map((part) => ({
    size: part.length,
    sha256: sha256(part),
    ...(withMd5 ? { md5: md5(part) } : {}),
  }));
  return Object.assign(parts, { pieces });
};

export const random = (size: number): Buffer => randomBytes(size);

/** Sends a segment as announced: its address, its headers, no Authorization. */
export const put = async (
  upload: Upload,
  index: number,
  bytes: Uint8Array,
  headers: Record<string, string> = {},
): Promise<Answer> => {
  const segment = upload.segments?.[index];
  const response = await fetch(segment?.url ?? '', {
    method: 'PUT',
    headers: { ...segment?.headers, ...headers },
    body: new Uint8Array(bytes),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: null };
};

/** Posts the form: every field in order, then the file, as the reference says. */
export const post = async (
  upload: Upload,
  bytes: Uint8Array,
  change: (form: FormData) => void = () => undefined,
): Promise<Answer> => {
  const form = new FormData();
  for (const [name, value] of Object.entries(upload.fields ?? {})) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(bytes)]), 'photo.jpg');
  change(form);
  const response = await fetch(upload.url ?? '', { method: 'POST', body: form });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: null };
};

/** Uploads bytes by the form and returns the id of the stored file, associated with record `record_id`. */
export const store = async (
  fixture: Fixture,
  bytes: Uint8Array,
  body: Record<string, unknown> & { response_filename: string },
  record_id = 1,
): Promise<number> => {
  const upload = await fixture.create(body);
  const answer = await post(upload, bytes);
  if (answer.status !== 204) throw new Error(`post: ${answer.status} ${answer.text}`);
  const [id] = await fixture.associate([upload.uuid], record_id);
  return id ?? 0;
};

/** The smallest size that the API allows. */
export const SEGMENT = 256 * KIB;

/** Announces bytes as segments of this size. */
export const announce = async (fixture: Fixture, bytes: Uint8Array, size = SEGMENT) => {
  const parts = cut(bytes, size);
  const upload = await fixture.create({ response_filename: 'site.jpg', segments: parts.pieces });
  return { parts, upload };
};

/** The field names in a 422. */
export const errorsOf = (answer: { json: unknown }): string[] =>
  Object.keys((answer.json as { errors: object }).errors);

export const statusOf = async (fixture: Fixture, upload: Upload): Promise<string | undefined> =>
  ((await fixture.show(upload.uuid)).json as Upload).status;

/** The refused post has left no bytes, and the upload is still pending. */
export const nothingStored = async (fixture: Fixture, upload: Upload): Promise<void> => {
  await expect.poll(() => fixture.files()).toEqual({});
  expect(await statusOf(fixture, upload)).toBe('ready');
};
