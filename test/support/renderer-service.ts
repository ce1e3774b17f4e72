/**
 * The in-memory service behind the scripted host of renderer-host.ts, with the guarantees the outbox needs: an idempotency key
 * replays its response, ETags count up, a recycled record is not found. Several laptops may share one.
 */
import { fail, ok, type Problem, type Result } from '../../src/contract/problem.ts';
import type { EntryAttachment } from '../../src/contract/rest/attachments.ts';
import type { Catalog } from '../../src/contract/rest/catalog.ts';
import {
  isText,
  lookupFields,
  nearMissFields,
  shownName,
} from '../../src/contract/rest/near-miss-fields.ts';
import type { NearMissComment } from '../../src/contract/rest/history/near-miss-comments.ts';
import type { HistoryEntry } from '../../src/contract/rest/history/near-miss-history.ts';
import type { NearMiss } from '../../src/contract/rest/near-misses.ts';
import { emptyCatalog } from '../../src/renderer/data/db/catalog.ts';

interface Executed {
  readonly body: string;
  readonly answer: Result<unknown>;
}

/** The subset of `rest.request` that this service understands. */
export interface Asked {
  readonly params: Record<string, number>;
  readonly query?: {
    readonly page?: number;
    readonly per_page?: number;
    readonly sort?: string;
    readonly after_id?: number;
    readonly filters?: { readonly updated_at?: string };
  };
  readonly body?: {
    readonly near_miss?: Record<string, unknown>;
    readonly comment?: { readonly text: string };
  };
  readonly idempotency_key?: string;
  readonly if_match?: string;
}

export interface EntryFile extends EntryAttachment {
  readonly upload_uuid: string | null;
  readonly sha256: string | null;
}

interface AttachBody {
  readonly time_and_material_entry_id: number;
  readonly time_and_material_entry_attachment: {
    readonly documents?: number[];
    readonly folders?: number[];
    readonly upload_uuids?: string[];
  };
}

export const NOT_FOUND: Problem = { kind: 'gone', status: 404, messages: ['Not found'] };
const refusedOn = (field: string, message: string): Problem => ({
  kind: 'refused',
  status: 422,
  messages: [],
  fields: { [field]: [message] },
});

export class ScriptedService {
  /** Stores the account that made each record, so that a request under the wrong session is noticed. */
  readonly near_misses = new Map<number, NearMiss & { account: string }>();
  readonly etags = new Map<number, number>();
  readonly uploads = new Map<
    string,
    {
      readonly photo_id: string;
      readonly filename: string;
      near_miss_id: number | null;
      readonly sha256: string;
      readonly size: number;
    }
  >();
  /** Files of time-and-material entries. */
  readonly entry_files = new Map<number, EntryFile>();
  /** Whether the service supports idempotency keys, and whether it has a catalog [ours]. */
  idempotent = true;
  hasCatalog = true;
  /** What a form offers, and the source of names in records. */
  catalog: Catalog = emptyCatalog;
  server_time: number | null = null;
  /** Whether lists follow the order of changes (decisions §14) [ours], and the records that are gone for good, with the time. */
  follows = false;
  readonly gone = new Map<number, string>();
  /** What the server tells of a near miss (decisions §15) [ours]; nothing: it keeps no history. */
  readonly history = new Map<number, readonly HistoryEntry[]>();
  /** Comments by near miss, newest first (decisions §18) [ours]; null: the server has none. `author`: who writes through this service. */
  comments: Map<number, readonly NearMissComment[]> | null = null;
  author = { id: 1, name: 'User', login: 'user@example.com' };
  private nextId = 100;
  private readonly keys = new Map<string, Executed>();

  /** Changes a record as another user would. */
  theirs(id: number, change: Partial<NearMiss>): void {
    const had = this.near_misses.get(id);
    if (had === undefined) throw new Error(`no near miss ${id}`);
    this.put({ ...had, ...change });
  }

  add(change: Partial<NearMiss>, account: string): NearMiss {
    const record = {
      id: this.nextId++,
      incident_id: 1,
      description: '<p>There before</p>',
      created_at: new Date(1_700_000_000_000 + this.nextId * 1000).toISOString(),
      account,
      ...(this.comments === null ? {} : { comment_count: 0 }),
      ...change,
    };
    this.put(record);
    return record;
  }

  /** Writes a comment, by another user unless `by` is given. */
  comment(
    near_miss_id: number,
    text: string,
    by = { id: 2, name: 'Ana Ruiz', login: 'ana@example.com' },
  ): NearMissComment {
    const created_at = new Date(Math.max(Date.now(), this.server_time ?? 0)).toISOString();
    const removed = { removed_at: null, removed_by: null };
    const made = { id: this.nextId++, text, created_at, created_by: by, ...removed };
    this.comments?.set(near_miss_id, [made, ...(this.comments.get(near_miss_id) ?? [])]);
    this.recount(near_miss_id, created_at);
    return made;
  }

  private recount(near_miss_id: number, updated_at: string): void {
    const all = this.comments?.get(near_miss_id) ?? [];
    const comment_count = all.filter(({ text }) => text !== null).length;
    this.theirs(near_miss_id, { comment_count, updated_at });
  }

  private removeComment(near_miss_id: number, comment_id: number): NearMissComment | null {
    const all = this.comments?.get(near_miss_id) ?? [];
    const had = all.find(({ id }) => id === comment_id);
    if (had === undefined) return null;
    const removed_at = new Date(Math.max(Date.now(), this.server_time ?? 0)).toISOString();
    const removed = { ...had, text: null, removed_at, removed_by: this.author };
    this.comments?.set(
      near_miss_id,
      all.map((one) => (one === had ? removed : one)),
    );
    this.recount(near_miss_id, removed_at);
    return removed;
  }

  /** Expires all idempotency keys. */
  forgetKeys(): void {
    this.keys.clear();
  }

  private put(record: NearMiss & { account: string }): void {
    this.near_misses.set(record.id, record);
    this.etags.set(record.id, (this.etags.get(record.id) ?? 0) + 1);
  }

  /** Executes a request of this account, once per idempotency key. */
  rest(endpoint: string, input: Asked, account: string): Result<unknown> {
    const key = input.idempotency_key;
    const body = JSON.stringify([endpoint, input.params, input.body]);
    const had = key !== undefined && this.idempotent ? this.keys.get(key) : undefined;
    if (had !== undefined)
      return had.body === body ? had.answer : fail(refusedOn('key', 'another body'));
    const answer = this.execute(endpoint, input, account);
    if (key !== undefined && this.idempotent) this.keys.set(key, { body, answer });
    return answer;
  }

  private reply(status: number, data: unknown, etag: string | null = null, total?: number) {
    const has_next = false;
    const paging = total === undefined ? null : { per_page: 1000, total, has_next };
    const server_time = this.server_time;
    return ok(structuredClone({ status, data, paging, etag, replayed: false, server_time }));
  }

  private page(all: readonly unknown[], { page = 1, per_page = 100 }: Asked['query'] = {}) {
    const data = all.slice((page - 1) * per_page, page * per_page);
    const paging = { per_page, total: all.length, has_next: page * per_page < all.length };
    const server_time = this.server_time;
    return ok(
      structuredClone({ status: 200, data, paging, etag: null, replayed: false, server_time }),
    );
  }

  /** The list in the order of changes. Downward: only the active records. */
  private changes({ sort, after_id = 0, filters, per_page = 100 }: NonNullable<Asked['query']>) {
    const from = Date.parse(filters?.updated_at?.replace('...', '') ?? '0000-01-01');
    const timeOf = (one: Partial<NearMiss>) => Date.parse(one.updated_at ?? one.deleted_at ?? '');
    const gone = [...this.gone].map(([id, deleted_at]) => ({ id, deleted_at }));
    const down = sort === '-updated_at';
    const all: readonly Partial<NearMiss>[] = [...this.near_misses.values()];
    const rows = [...all.filter((one) => !down || !one.deleted_at), ...(down ? [] : gone)]
      .filter((one) => timeOf(one) > from || (timeOf(one) === from && (one.id ?? 0) > after_id))
      .sort((a, b) => timeOf(a) - timeOf(b) || (a.id ?? 0) - (b.id ?? 0));
    if (down) rows.reverse();
    const paging = { per_page, total: rows.length, has_next: rows.length > per_page };
    const data = rows.slice(0, per_page);
    const server_time = this.server_time;
    return ok(
      structuredClone({ status: 200, data, paging, etag: null, replayed: false, server_time }),
    );
  }

  private execute(endpoint: string, input: Asked, account: string): Result<unknown> {
    const id = input.params['id'] ?? 0;
    const had = this.near_misses.get(id);
    const active = had !== undefined && !had.deleted_at;
    const shown = (record: NearMiss) =>
      this.reply(200, record, `"${this.etags.get(record.id) ?? 0}"`);
    switch (endpoint) {
      case 'near_misses.list':
      case 'recycled_near_misses.list': {
        if (this.follows && input.query?.sort !== undefined) return this.changes(input.query);
        const wanted = endpoint === 'near_misses.list';
        const all = [...this.near_misses.values()].filter((one) => !one.deleted_at === wanted);
        return this.page(all, input.query);
      }
      case 'near_misses.create': {
        const fields = input.body?.near_miss ?? {};
        if (fields['harm_source_id'] === 666)
          return fail(refusedOn('near_miss.harm_source_id', 'is unknown'));
        const now = new Date().toISOString();
        const made = this.add({ created_at: now, ...this.fields(fields) }, account);
        return this.reply(201, made, `"${this.etags.get(made.id) ?? 0}"`);
      }
      case 'near_misses.show':
        return active ? shown(had) : fail(NOT_FOUND);
      case 'near_misses.update': {
        if (!active) return fail(NOT_FOUND);
        if (input.if_match !== undefined && input.if_match !== `"${this.etags.get(id) ?? 0}"`)
          return fail({ kind: 'conflict', status: 412, messages: [] });
        return this.update(had, input.body?.near_miss ?? {});
      }
      case 'near_misses.delete':
        if (!active) return fail(NOT_FOUND);
        this.put({ ...had, deleted_at: new Date().toISOString() });
        return this.reply(204, undefined);
      case 'recycled_near_misses.show':
        return had !== undefined && !active ? shown(had) : fail(NOT_FOUND);
      case 'near_miss_attachments.delete': {
        const taken = input.params['attachment_id'];
        if (!active || !had.attachments?.some((one) => one.id === taken)) return fail(NOT_FOUND);
        this.put({ ...had, attachments: had.attachments.filter((one) => one.id !== taken) });
        return this.reply(204, undefined);
      }
      case 'recycled_near_misses.restore':
        if (had === undefined || active) return fail(NOT_FOUND);
        this.put({ ...had, deleted_at: null });
        return shown({ ...had, deleted_at: null });
      case 'time_and_material_entry_attachments.list':
        return this.reply(200, [...this.entry_files.values()], null, this.entry_files.size);
      case 'time_and_material_entry_attachments.create':
        return this.attach(input.body as unknown as AttachBody);
      case 'time_and_material_entry_attachments.delete': {
        const one = this.entry_files.get(id);
        return this.entry_files.delete(id) ? this.reply(200, one) : fail(NOT_FOUND);
      }
      case 'time_and_material_entry_attachments.bulk_destroy': {
        const body = input.body as unknown as Record<string, Record<string, number[]>>;
        const given = body['time_and_material_entry_attachment'] ?? {};
        const ids = given['time_and_material_entry_attachment_ids'] ?? [];
        if (ids.some((one) => !this.entry_files.has(one)))
          return fail(refusedOn('time_and_material_entry_attachment_ids', 'does not exist'));
        for (const one of ids) this.entry_files.delete(one);
        return this.reply(200, []);
      }
      case 'catalog.show':
        return this.hasCatalog ? this.reply(200, this.catalog) : fail(NOT_FOUND);
      case 'near_miss_history.list': {
        const entries = this.history.get(id);
        return entries ? this.reply(200, entries, null, entries.length) : fail(NOT_FOUND);
      }
      case 'near_miss_comments.list':
        if (had === undefined || this.comments === null) return fail(NOT_FOUND);
        return this.page(this.comments.get(id) ?? [], input.query);
      case 'near_miss_comments.create':
        if (!active || this.comments === null) return fail(NOT_FOUND);
        return this.reply(201, this.comment(id, input.body?.comment?.text ?? '', this.author));
      case 'near_miss_comments.delete': {
        const removed = active ? this.removeComment(id, input.params['comment_id'] ?? 0) : null;
        return removed === null ? fail(NOT_FOUND) : this.reply(200, removed);
      }
      default:
        return fail({ kind: 'bug', detail: `not scripted: ${endpoint}` });
    }
  }

  private attach(body: AttachBody): Result<unknown> {
    const {
      documents = [],
      folders = [],
      upload_uuids = [],
    } = body.time_and_material_entry_attachment;
    const time_and_material_entry_id = body.time_and_material_entry_id;
    if (time_and_material_entry_id === 666)
      return fail(refusedOn('time_and_material_entry_id', 'does not exist in this project'));
    const made: EntryFile[] = [
      ...documents.map((id) => ({ filename: `document-${id}`, upload_uuid: null, sha256: null })),
      ...folders.map((id) => ({ filename: `in-folder-${id}`, upload_uuid: null, sha256: null })),
    ].map((file) => ({ id: this.nextId++, time_and_material_entry_id, ...file }));
    for (const upload_uuid of upload_uuids) {
      const upload = this.uploads.get(upload_uuid);
      if (upload === undefined)
        return fail(refusedOn('time_and_material_entry_attachment.upload_uuids', 'is unknown'));
      const { sha256, filename } = upload;
      const had = [...this.entry_files.values()].find((one) => one.upload_uuid === upload_uuid);
      const id = had?.id ?? this.nextId++;
      made.push({ id, time_and_material_entry_id, filename, upload_uuid, sha256 });
    }
    for (const one of made) this.entry_files.set(one.id, one);
    const [first] = made;
    return this.reply(201, { ...first, created: made });
  }

  private fields(body: Record<string, unknown>): Partial<NearMiss> {
    const harm = body['harm_source_id'];
    const { incidents, custom_field_definitions } = this.catalog;
    const incident = incidents.find(({ id }) => id === body['incident_id']);
    const custom = custom_field_definitions.flatMap(({ id, data_type }) => {
      const name = `custom_field_${id}`;
      return name in body ? [[name, { data_type, value: body[name] }] as const] : [];
    });
    return {
      ...('incident_id' in body ? { incident_id: Number(body['incident_id']) } : {}),
      ...(incident === undefined ? {} : { incident_title: incident.title }),
      ...('description' in body ? { description: String(body['description']) } : {}),
      ...(typeof harm === 'number' ? { harm_source: { id: harm, name: `harm ${harm}` } } : {}),
      ...this.named(body),
      ...Object.fromEntries(Object.entries(body).filter(([name]) => isText(name))),
      ...(custom.length > 0 ? { custom_fields: Object.fromEntries(custom) } : {}),
    };
  }

  /** Resolves ids to catalog names; null clears a field. */
  private named(body: Record<string, unknown>): Partial<NearMiss> {
    const found: [string, object | null][] = [];
    for (const name of lookupFields) {
      const [field, wanted] = [shownName(name), body[name]];
      const one = this.catalog[nearMissFields[name].list].find(({ id }) => id === wanted);
      if (wanted === null) found.push([field, null]);
      else if (one !== undefined) found.push([field, { id: one.id, name: one.name }]);
    }
    return Object.fromEntries(found);
  }

  private update(
    had: NearMiss & { account: string },
    body: Record<string, unknown>,
  ): Result<unknown> {
    const { incident_id: _fixed, ...changed } = this.fields(body);
    const custom_fields = { ...had.custom_fields, ...changed.custom_fields };
    const attachments = [...(had.attachments ?? [])];
    for (const uuid of (body['upload_uuids'] ?? []) as string[]) {
      const upload = this.uploads.get(uuid);
      if (upload === undefined)
        return fail(refusedOn('near_miss.upload_uuids', 'is unknown or expired'));
      if (upload.near_miss_id === null)
        attachments.push({
          id: this.nextId++,
          upload_uuid: uuid,
          filename: upload.photo_id,
          sha256: upload.sha256,
          size: upload.size,
        });
      upload.near_miss_id = had.id;
    }
    this.put({ ...had, ...changed, custom_fields, attachments });
    return this.reply(200, this.near_misses.get(had.id), `"${this.etags.get(had.id) ?? 0}"`);
  }
}
